// What every page runs: forms without a reload, changes of others, a start without a signal.
import './forms.js';
import './live.js';
import './shortcuts.js';

// The folder of this module is the version of all of them.
const { pathname } = new URL('.', import.meta.url);
navigator.serviceWorker?.register(`/service-worker.js?assets=${pathname}`).catch(() => {});
// What was done to the shopping list without a signal is sent from any page.
if (localStorage['larder-waiting'] && document.body.dataset.live !== undefined) import('./outbox.js');
