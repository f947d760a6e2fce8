// The stream of events: reconnects when it breaks, and after the end of the run does not.

const RETRY_FIRST_MS = 500;
const RETRY_MAX_MS = 5000;
/** The server sends a sign of life every 2 s: silence of as long is a broken connection. */
const SILENCE_MS = 8000;

/**
 * Follows the run from now on. `on.now` and `on.history` get documents; while the page is hidden, only the latest of each is kept, and shown
 * when the page is seen again. `on.connected` and `on.lost` get the state of the stream, and `on.over(connected)` follows once both documents
 * of the end were shown: the server may go on for downloads. Returns a function that begins a new stream, whose address `url` supplies.
 */
export function follow(url, on) {
  let source = null;
  let retryMs = RETRY_FIRST_MS;
  let timer = 0;
  let heard = 0;
  const hidden = new Map();
  const ended = { now: false, history: false };
  const isOver = () => ended.now && ended.history;

  const close = () => {
    clearTimeout(timer);
    source?.close();
    source = null;
  };
  const show = (name, text) => {
    const before = isOver();
    const document = JSON.parse(text);
    ended[name] = name === "now" ? document.run.terminal : document.terminal;
    on[name](document);
    if (isOver() !== before) {
      on.over(isOver(), source !== null);
    }
  };
  const showHidden = () => {
    hidden.forEach((text, name) => show(name, text));
    hidden.clear();
  };
  const lost = () => {
    close();
    showHidden();
    if (ended.now) {
      on.over(true, false);
      return;
    }
    on.lost();
    timer = setTimeout(open, retryMs);
    retryMs = Math.min(2 * retryMs, RETRY_MAX_MS);
  };
  const open = () => {
    close();
    heard = performance.now();
    source = new EventSource(url());
    source.onopen = () => {
      retryMs = RETRY_FIRST_MS;
      on.connected();
    };
    source.onerror = lost;
    for (const name of ["now", "history", "alive"]) {
      source.addEventListener(name, (event) => {
        heard = performance.now();
        if (name === "alive") {
          return;
        }
        if (document.hidden) {
          hidden.set(name, event.data);
        } else {
          show(name, event.data);
        }
      });
    }
  };
  setInterval(() => {
    if (source !== null && performance.now() - heard > SILENCE_MS) {
      lost();
    }
  }, 1000);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) {
      showHidden();
    }
  });
  open();
  return open;
}
