// Rows are read by themselves: a press changes one of hundreds.
import { announce, parse, show } from './page.js';

// The rows of these ids as they are now. Where the server sends the page all the same, that is shown, and nothing is
// returned.
export async function readRows(url, ids, options) {
  const answer = await fetch(url, { ...options, headers: { accept: 'text/html', 'x-larder-rows': ids.join() } });
  const html = await answer.text();
  const fresh = parse(html);
  const failure = fresh.querySelector('[data-failure] [role=alert]');
  if (failure) announce(failure.textContent, true);
  else if (fresh.getElementById('main')) show(html, answer.url);
  else return fresh;
}

// Does something once, so long after it was last called.
export function after(delay, work) {
  let timer;
  return (subject) => { clearTimeout(timer); timer = setTimeout(work, delay, subject); };
}
