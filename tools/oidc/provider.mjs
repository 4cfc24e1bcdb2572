// The identity provider that the tests log in with, on loopback. It knows everybody who says that they are
// somebody: no password is asked for. Its clients are those of the tests, whatever their port.
//
//   node provider.mjs PORT
//
// POST /test/rotate-keys replaces the keys that it signs with.

import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import Provider, { interactionPolicy } from 'oidc-provider';

const port = Number(process.argv[2]);
const issuer = `http://127.0.0.1:${port}`;

// Sessions outlive the keys of tokens.
const cookieKeys = [randomUUID()];

const client = (client_id, more) => ({
  client_id,
  // A native client may come from any port of this machine (RFC 8252, section 7.3).
  application_type: 'native',
  redirect_uris: ['http://127.0.0.1/login/callback'],
  grant_types: ['authorization_code'],
  response_types: ['code'],
  ...more,
});

// Whoever has logged in is not asked again, as at most providers.
const policy = interactionPolicy.base();
policy.get('consent').checks.remove('native_client_prompt');

const newKey = () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: 'RS256' };
};

// Everybody's address is verified, unless their name says otherwise.
const account = (login) => ({
  sub: `subject-of-${login}`,
  name: login,
  email: `${login}@example.org`,
  email_verified: !login.startsWith('unverified'),
});

const newProvider = () => new Provider(issuer, {
  clients: [
    client('larder', { client_secret: 'the secret of the tests: +&%', token_endpoint_auth_method: 'client_secret_basic' }),
    client('larder-public', { token_endpoint_auth_method: 'none' }),
  ],
  claims: { openid: ['sub', 'auth_time'], email: ['email', 'email_verified'], profile: ['name'] },
  cookies: { keys: cookieKeys },
  features: { devInteractions: { enabled: false } },
  findAccount: (_, login) => ({ accountId: login, claims: () => account(login) }),
  interactions: { policy, url: (_, { uid }) => `/interaction/${uid}` },
  jwks: { keys: [newKey()] },
  // Nobody is asked whether Larder may know who they are.
  async loadExistingGrant({ oidc }) {
    const grant = new oidc.provider.Grant({ accountId: oidc.session.accountId, clientId: oidc.client.clientId });
    grant.addOIDCScope('openid email profile');
    await grant.save();
    return grant;
  },
  pkce: { required: () => true },
});

const form = `<!DOCTYPE html>
<html lang="en"><title>Identity provider</title><link rel="icon" href="data:,">
<h1>Who are you?</h1>
<form method="post"><label>Login <input name="login" autofocus></label> <button>Sign in</button></form>
<form method="post"><button name="cancel" value="1">Cancel</button></form>`;

const body = async (request) => {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  return new URLSearchParams(Buffer.concat(pieces).toString());
};

let provider = newProvider();

async function interact(request, response) {
  if (request.method === 'GET') {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(form);
    return;
  }
  const fields = await body(request);
  const result = fields.has('cancel')
    ? { error: 'access_denied' }
    : { login: { accountId: fields.get('login') } };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

createServer(async (request, response) => {
  try {
    if (request.url === '/test/rotate-keys' && request.method === 'POST') {
      provider = newProvider();
      response.end();
    } else if (request.url.startsWith('/interaction/')) {
      await interact(request, response);
    } else {
      await provider.callback()(request, response);
    }
  } catch (error) {
    console.error(error);
    response.statusCode = 500;
    response.end();
  }
}).listen(port, '127.0.0.1', () => console.log('identity provider listening'));
