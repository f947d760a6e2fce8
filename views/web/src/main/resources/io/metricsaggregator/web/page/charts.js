// Plots over time, drawn by uPlot. Each has a sentence and a table of its last points for those who do not see it.

import uPlot from "/uplot.js";
import { byId, clock, colour, element, setText } from "/dom.js";
import { showTable } from "/figures.js";

const HEIGHT = 200;
const POINTS_IN_TABLE = 20;
const DASHES = [[], [7, 4], [2, 3]];
const AXIS_FONT = "12px system-ui, sans-serif";

const shown = new Map();
let last = [];

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
  each.plot.setData(data(chart));
  each.drawing.setAttribute("aria-label", `${chart.title}, ${chart.unit}. ${chart.summary}`);
  setText(each.summary, chart.summary);
  fillTable(each);
}

function make(chart, figure, shape) {
  const title = element("figcaption", {}, element("strong", {}, chart.title), ` ${chart.unit}`);
  const drawing = element("div", { role: "img" });
  const summary = element("p", { class: "summary" });
  const table = element("div");
  const details = element("details", {}, element("summary", {}, `Data of ${chart.title}`), table);
  figure.replaceChildren(title, drawing, summary, details);
  const each = { shape, figure, drawing, summary, table, details, chart, plot: null };
  each.plot = new uPlot(options(chart, drawing), data(chart), drawing);
  details.addEventListener("toggle", () => fillTable(each));
  return each;
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
      { ...axis, values: (plot, ticks) => ticks.map(clock), space: 60, size: 32 },
      { ...axis, size: 62, values: (plot, ticks) => ticks.map((tick) => tick.toLocaleString("en")) },
    ],
    series: [
      { label: "time", value: (plot, seconds) => (seconds === null ? "-" : clock(seconds)) },
      ...chart.curves.map((curve, i) => ({
        label: curve.label,
        stroke: colour(`--c${i + 1}`),
        width: 1.75,
        dash: DASHES[i % DASHES.length],
        points: { show: chart.length < 3 },
        value: (plot, value) => (value === null ? "-" : value.toLocaleString("en", { maximumFractionDigits: 1 })),
      })),
    ],
    legend: { live: true },
    cursor: { drag: { x: true, y: false } },
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
