// A mail server that delivers nothing: it prints each mail as a line of JSON.
// Arguments: the port, and for a server with TLS and login: user name and password.
'use strict';
const fs = require('fs');
const { SMTPServer } = require('smtp-server');

const [port, user, password] = process.argv.slice(2);
const withLogin = user !== undefined;

function refusal(code, text) {
    return Object.assign(new Error(text), { responseCode: code });
}

const server = new SMTPServer({
    banner: 'mail server for tests',
    disableReverseLookup: true,
    // Without TLS and login it offers neither; with them it takes nothing before both.
    disabledCommands: withLogin ? [] : ['STARTTLS', 'AUTH'],
    allowInsecureAuth: false,
    ...(withLogin && { key: fs.readFileSync('server.key'), cert: fs.readFileSync('server.crt') }),
    onAuth(auth, session, done) {
        const known = auth.username === user && auth.password === password;
        done(known ? null : refusal(535, 'who is that'), { user: auth.username });
    },
    onRcptTo(address, session, done) {
        if (address.address.startsWith('unknown')) {
            return done(refusal(550, 'no such mailbox'));
        }
        // Busy mailboxes take mail once the test says so.
        if (address.address.startsWith('busy') && !fs.existsSync('not-busy')) {
            return done(refusal(451, 'come back later'));
        }
        done();
    },
    onData(stream, session, done) {
        const chunks = [];
        stream.on('data', (chunk) => chunks.push(chunk));
        stream.on('end', () => {
            const mail = {
                from: session.envelope.mailFrom.address,
                to: session.envelope.rcptTo.map((recipient) => recipient.address),
                hello: session.hostNameAppearsAs,
                user: session.user ?? null,
                secure: session.secure,
                text: Buffer.concat(chunks).toString('utf8'),
            };
            // Written before it is acknowledged, so that whoever got the reply finds it.
            fs.writeSync(1, JSON.stringify(mail) + '\n');
            done();
        });
    },
});
server.on('error', () => {});
server.listen(Number(port), '127.0.0.1', () => fs.writeSync(1, 'listening\n'));
