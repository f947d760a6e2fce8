// Plots over time, drawn by uPlot. Each has a sentence and a table of its last points for those who do not see it; arrow keys, Home and End move
// its cursor and speak the values there.

import uPlot from "/uplot.js";
import { byId, clock, colour, element, setText } from "/dom.js";
import { showTable } from "/figures.js";

const HEIGHT = 200;
const POINTS_IN_TABLE = 20;
/** Seconds between ticks. */
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 43200, 86400];
const LINE = { dash: [], border: "solid" };
const DASHED = { dash: [7, 4], border: "dashed" };
const DOTTED = { dash: [2, 3], border: "dotted" };
/** A curve looks the same in every plot and at any time, whatever other curves there are. */
const STYLES = {
  completed: { ink: "--c1", ...LINE },
  errors: { ink: "--bad", ...DASHED },
  good: { ink: "--c3", ...DOTTED },
  peak: { ink: "--c1", ...LINE },
  "end of each slice": { ink: "--c2", ...DASHED },
  p50: { ink: "--c1", ...LINE },
  p90: { ink: "--c2", ...DASHED },
  p99: { ink: "--c3", ...DOTTED },
};
const style = (curve) => STYLES[curve.label] ?? { ink: "--c1", ...LINE };
const AXIS_FONT = "12px system-ui, sans-serif";

/** The key of the cursor that all plots share. */
const CURSOR = "time";

const shown = new Map();
let last = [];
const spoken = byId("plots").appendChild(element("p", { id: "spoken", "aria-live": "polite" }));

/** Calls back with the second that the cursor is at in some plot, and with null when it leaves. */
export function onCursor(action) {
  uPlot.sync(CURSOR).sub({
    pub: (type, plot, left) => {
      if (type === "mousemove") {
        action(left < 0 ? null : plot.posToVal(left, "x"));
      }
    },
  });
}

/** Puts the cursor of all plots at a second; null removes it. */
export function moveCursor(second) {
  for (const { plot } of shown.values()) {
    const left = second === null ? -10 : plot.valToPos(second, "x");
    plot.setCursor({ left, top: second === null ? -10 : 0 }, true, false);
  }
}

/** Shows the plots; makes, changes and removes their figures as needed. */
export function showCharts(charts) {
  last = charts;
  byId("plots-empty").hidden = charts.length > 0;
  for (const [id, each] of shown) {
    if (!charts.some((chart) => chart.id === id)) {
      each.plot.destroy();
      each.figure.remove();
      shown.delete(id);
    }
  }
  charts.forEach(show);
}

function show(chart) {
  const shape = JSON.stringify([chart.title, chart.unit, chart.curves.map((curve) => curve.label)]);
  let each = shown.get(chart.id);
  if (each?.shape !== shape) {
    each?.plot.destroy();
    const figure = each?.figure ?? byId("charts").appendChild(element("figure"));
    each = make(chart, figure, shape);
    shown.set(chart.id, each);
  }
  each.chart = chart;
  update(each);
  each.drawing.setAttribute("aria-label", `${chart.title}, ${chart.unit}. ${chart.summary}`);
  setText(each.summary, chart.summary);
  fillTable(each);
}

/** Shows new data; the part that somebody zoomed into stays. */
function update(each) {
  const { min, max } = each.plot.scales.x;
  each.plot.setData(data(each.chart), !each.zoomed);
  if (each.zoomed) {
    each.plot.setScale("x", { min, max });
  }
}

function make(chart, figure, shape) {
  const title = element("figcaption", {}, element("strong", {}, chart.title), ` ${chart.unit}`);
  const drawing = element("div", { role: "img" });
  const summary = element("p", { class: "summary" });
  const table = element("div");
  const details = element("details", {}, element("summary", {}, `Data of ${chart.title}`), table);
  const label = `${chart.title}. Arrow keys, Home and End read its values.`;
  const reader = element("div", { tabindex: "0", role: "application", "aria-roledescription": "plot", "aria-label": label }, drawing);
  figure.replaceChildren(title, reader, summary, details);
  const each = { shape, figure, drawing, summary, table, details, chart, zoomed: false, plot: null };
  reader.addEventListener("keydown", (event) => move(each, event));
  reader.addEventListener("blur", () => place(each, null));
  each.plot = new uPlot(options(chart, drawing), data(chart), drawing);
  each.plot.hooks.setSelect = [(plot) => (each.zoomed ||= plot.select.width > 0)];
  drawing.addEventListener("dblclick", () => {
    each.zoomed = false;
    update(each);
  });
  details.addEventListener("toggle", () => fillTable(each));
  return each;
}

/** Moves the cursor by a key: to the value before or after, to the first or to the last. */
function move(each, event) {
  const last = each.chart.length - 1;
  const at = each.plot.cursor.idx;
  const to = {
    ArrowRight: () => Math.min((at ?? -1) + 1, last),
    ArrowLeft: () => Math.max((at ?? last + 1) - 1, 0),
    Home: () => 0,
    End: () => last,
    Escape: () => null,
  }[event.key];
  if (to && last >= 0 && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    place(each, to());
  }
}

/** Puts the cursor at a value and speaks it; null takes the cursor away. */
function place(each, i) {
  if (i === null) {
    each.plot.setCursor({ left: -10, top: -10 });
    setText(spoken, "");
    return;
  }
  const times = each.plot.data[0];
  each.plot.setCursor({ left: each.plot.valToPos(times[i], "x"), top: each.plot.over.clientHeight / 2 });
  const values = each.chart.curves.map((curve) => `${curve.label} ${curve.values[i]?.toLocaleString("en", { maximumFractionDigits: 1 }) ?? "-"}`);
  setText(spoken, `${clock(times[i])}, ${values.join(", ")} ${each.chart.unit}`);
}

function data(chart) {
  const times = Array.from({ length: chart.length }, (_, i) => (i + 0.5) * chart.width_s);
  return [times, ...chart.curves.map((curve) => curve.values)];
}

function options(chart, place) {
  const axis = { stroke: colour("--dim"), grid: { stroke: colour("--grid"), width: 1 }, ticks: { stroke: colour("--grid") }, font: AXIS_FONT };
  return {
    width: Math.max(120, place.clientWidth),
    height: HEIGHT,
    scales: { x: { time: false }, y: { range: (plot, low, high) => [0, high > 0 ? high * 1.05 : 1] } },
    axes: [
      { ...axis, values: (plot, ticks) => ticks.map(clock), incrs: STEPS, space: 60, size: 32 },
      { ...axis, size: 62, values: (plot, ticks) => ticks.map((tick) => tick.toLocaleString("en")) },
    ],
    series: [
      { label: "time", value: (plot, seconds) => (seconds === null ? "-" : clock(seconds)) },
      ...chart.curves.map((curve) => ({
        label: curve.label,
        stroke: colour(style(curve).ink),
        width: 1.75,
        dash: style(curve).dash,
        points: { show: (plot) => plot.data[0].length < 3 },
        value: (plot, value) => (value === null ? "-" : value.toLocaleString("en", { maximumFractionDigits: 1 })),
      })),
    ],
    legend: { live: true, markers: { width: 2, fill: () => "transparent", dash: (plot, i) => style(chart.curves[i - 1] ?? {}).border } },
    // One cursor for all plots.
    cursor: { drag: { x: true, y: false }, sync: { key: CURSOR } },
  };
}

function fillTable(each) {
  if (!each.details.open) {
    return;
  }
  const { chart } = each;
  const from = Math.max(0, chart.length - POINTS_IN_TABLE);
  const rows = [];
  for (let i = chart.length - 1; i >= from; i--) {
    rows.push([clock(i * chart.width_s), ...chart.curves.map((curve) => curve.values[i]?.toLocaleString("en") ?? "-")]);
  }
  showTable(each.table, {
    caption: `${chart.title}, ${chart.unit}, the newest first`,
    columns: [{ title: "From", number: false }, ...chart.curves.map((curve) => ({ title: curve.label, number: true }))],
    rows,
  });
}

/** Draws all plots again, in the colours of the present scheme. */
export function redrawCharts() {
  for (const each of shown.values()) {
    each.shape = "";
  }
  showCharts(last);
}

new ResizeObserver(() => {
  for (const each of shown.values()) {
    each.plot.setSize({ width: Math.max(120, each.drawing.clientWidth), height: HEIGHT });
  }
}).observe(byId("charts"));
