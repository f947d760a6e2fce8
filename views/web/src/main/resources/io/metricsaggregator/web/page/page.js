// The page of a run: shows the documents of the stream, and says what it is connected to.

import { byId, setClass, setText } from "/dom.js";
import { showNotes, showSections, showTable, showTiles } from "/figures.js";
import { redrawCharts, showCharts } from "/charts.js";
import { redrawHeat, showHeat } from "/heat.js";
import { follow } from "/stream.js";

const STALE_TICKS = 10;
const STALE_MIN_MS = 5000;

let run = null;
let receivedMs = 0;
let link = "connecting";
let over = false;

const LINKS = {
  connecting: "Connecting.",
  connected: "",
  lost: "Connection lost: reconnecting. The figures are the last ones received.",
};

/** Seconds of the figures of now: the reader's choice, which the address of the page keeps. */
const seconds = byId("window");
const wanted = new URLSearchParams(location.search).get("window");
if ([...seconds.options].some((option) => option.value === wanted)) {
  seconds.value = wanted;
}

/** Downloads need the server, and a snapshot. */
function showTools() {
  byId("downloads").hidden = link !== "connected" || run === null || run.id === "";
  byId("choice").hidden = over;
}

/** Says the state in words; the text changes only with the state, because screen readers read every change of it. */
function showState() {
  const name = run?.state ?? "CONNECTING";
  const stale = !over && link === "connected" && run !== null && run.id !== "" && !run.terminal
    && performance.now() - receivedMs > Math.max(STALE_MIN_MS, STALE_TICKS * run.interval_ms);
  const lost = !over && link === "lost";
  setText(byId("badge"), lost ? "DISCONNECTED" : stale ? "STALE" : name);
  setClass(byId("badge"), `badge ${lost || stale ? "bad" : name.toLowerCase()}`);
  setText(byId("link"), over
    ? "This is the final state of the run."
    : stale ? `No new snapshot arrives; the run was ${name}.` : LINKS[link]);
  document.body.classList.toggle("old", lost || stale);
  setText(byId("title"), run?.title || "metrics-aggregator");
  document.title = `${byId("badge").textContent} - ${byId("title").textContent}`;
  showTools();
}

function showClock() {
  if (run === null || run.id === "") {
    setText(byId("clock"), "");
    return;
  }
  const age = over ? "" : `, received ${((performance.now() - receivedMs) / 1000).toFixed(1)} s ago`;
  setText(byId("clock"), `run ${run.id}, ${run.elapsed}, snapshot ${run.snapshot}${age}`);
}

/** Shows the part on nodes and the link to it for a fleet alone. */
function showFleet(fleet) {
  byId("nodes-part").hidden = !fleet;
  byId("nodes-link").hidden = !fleet;
}

const reopen = follow(() => `/events?window=${seconds.value}`, {
  now(document) {
    run = document.run;
    receivedMs = performance.now();
    showTiles(document.tiles);
    showNotes(document.notes);
    showFleet(document.tables.some((table) => table.id === "nodes"));
    document.tables.forEach((table) => showTable(byId(table.id), table));
    setText(byId("version"), run.version ? `metrics-aggregator ${run.version}` : "");
    showState();
    showClock();
  },
  history(document) {
    showCharts(document.charts);
    showHeat(document.heat);
    showSections(document.sections);
  },
  connected() {
    link = "connected";
    receivedMs = performance.now();
    showState();
  },
  lost() {
    link = "lost";
    showState();
  },
  over(isOver, connected) {
    over = isOver;
    link = connected ? "connected" : "lost";
    document.body.classList.toggle("over", over);
    showState();
    showClock();
  },
});

seconds.addEventListener("change", () => {
  history.replaceState(null, "", `?window=${seconds.value}${location.hash}`);
  reopen();
});

setInterval(() => {
  showState();
  showClock();
}, 500);

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  redrawCharts();
  redrawHeat();
});
