// The stream of events: reconnects when it breaks, stops while the page is hidden, and ends with the run.

const RETRY_FIRST_MS = 500;
const RETRY_MAX_MS = 5000;
/** The server sends a sign of life every 2 s: silence of as long is a broken connection. */
const SILENCE_MS = 8000;

/**
 * Follows the run. `on.now` and `on.history` get documents, `on.connected`, `on.lost` and `on.over` the state of the stream. It is over
 * once both documents of the end have arrived, or the stream breaks after the end.
 */
export function follow(on) {
  let source = null;
  let retryMs = RETRY_FIRST_MS;
  let timer = 0;
  let heard = 0;
  let ended = false;
  let endedHistory = false;
  let over = false;

  const close = () => {
    clearTimeout(timer);
    source?.close();
    source = null;
  };
  const finish = () => {
    over = true;
    close();
    clearInterval(watchdog);
    on.over();
  };
  const lost = () => {
    close();
    if (ended) {
      finish();
      return;
    }
    on.lost();
    timer = setTimeout(open, retryMs);
    retryMs = Math.min(2 * retryMs, RETRY_MAX_MS);
  };
  const listen = (name, take) => source.addEventListener(name, (event) => {
    heard = performance.now();
    take(JSON.parse(event.data));
    if (ended && endedHistory) {
      finish();
    }
  });
  const open = () => {
    clearTimeout(timer);
    heard = performance.now();
    source = new EventSource("/events");
    source.onopen = () => {
      retryMs = RETRY_FIRST_MS;
      on.connected();
    };
    source.onerror = lost;
    listen("now", (document) => {
      on.now(document);
      ended = document.run.terminal;
    });
    listen("history", (document) => {
      on.history(document);
      endedHistory = document.terminal;
    });
    listen("alive", () => {});
  };
  const watchdog = setInterval(() => {
    if (source !== null && performance.now() - heard > SILENCE_MS) {
      lost();
    }
  }, 1000);
  // Browsers allow six connections per server: tabs in the background must not use them up.
  document.addEventListener("visibilitychange", () => {
    if (over) {
      return;
    }
    if (document.hidden) {
      close();
    } else if (source === null) {
      open();
    }
  });
  open();
}
