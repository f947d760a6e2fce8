// Heat maps: time from left to right, values on a logarithmic scale from bottom to top, the share of a column's values as shade.

import { moveCursor, onCursor } from "/charts.js";
import { byId, clock, colour, element, resize, setText } from "/dom.js";

const HEIGHT = 230;
const LEFT = 74;
const BOTTOM = 24;
const TOP = 8;
const FONT = "12px system-ui, sans-serif";
const SHADES = 6;
const COLUMN_MAX_PX = 24;

let last = { maps: [], shades: [] };

/** Shows the heat maps and the legend of their shades. */
export function showHeat(heat) {
  last = heat;
  byId("heat-empty").hidden = heat.maps.length > 0;
  const legend = byId("legend");
  legend.hidden = heat.maps.length === 0;
  resize(legend, heat.shades.length + 1, (i) => i === 0
    ? element("li", {}, "share of the samples of a column:")
    : element("li", {}, element("span", { class: `swatch h${i}` }), element("span")));
  heat.shades.forEach((shade, i) => setText(legend.children[i + 1].lastElementChild, shade));
  const place = byId("maps");
  resize(place, heat.maps.length, figure);
  heat.maps.forEach((map, i) => {
    const [title, drawing, summary] = place.children[i].children;
    const canvas = drawing.firstElementChild;
    setText(title, `${map.title}, by time of completion`);
    setText(summary, map.summary);
    canvas.setAttribute("aria-label", `Heat map of ${map.title}. ${map.summary}`);
    draw(canvas, map);
  });
}

/** A map without its data; the mouse moves the cursor of all maps and plots. */
function figure(i) {
  const drawing = element("div", { class: "heat" }, element("canvas", { role: "img" }), element("div", { class: "cursor", hidden: true }));
  drawing.addEventListener("mousemove", (event) => {
    const map = last.maps[i];
    const columns = (event.clientX - drawing.getBoundingClientRect().left - LEFT) / columnWidth(drawing, map);
    const second = columns < 0 || columns > map.columns.length ? null : map.start_s + columns * map.width_s;
    showCursor(second);
    moveCursor(second);
  });
  drawing.addEventListener("mouseleave", () => {
    showCursor(null);
    moveCursor(null);
  });
  return element("figure", {}, element("figcaption"), drawing, element("p", { class: "summary" }));
}

const roomOf = (drawing) => Math.max(160, drawing.clientWidth) - LEFT - 8;
const columnWidth = (drawing, map) => Math.min(COLUMN_MAX_PX, roomOf(drawing) / map.columns.length);

/** Shows the cursor at a second, in those maps that have it; null hides it. */
function showCursor(second) {
  last.maps.forEach((map, i) => {
    const drawing = byId("maps").children[i].children[1];
    const line = drawing.lastElementChild;
    const column = second === null ? -1 : (second - map.start_s) / map.width_s;
    line.hidden = column < 0 || column > map.columns.length;
    line.style.left = `${LEFT + column * columnWidth(drawing, map)}px`;
  });
}

onCursor(showCursor);

function draw(canvas, map) {
  const drawing = canvas.parentElement;
  const width = Math.max(160, drawing.clientWidth);
  const scale = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(HEIGHT * scale);
  const pen = canvas.getContext("2d");
  pen.scale(scale, scale);
  pen.font = FONT;
  const rows = map.edges_ns.length - 1;
  const room = roomOf(drawing);
  const cell = { width: columnWidth(drawing, map), height: (HEIGHT - TOP - BOTTOM) / rows };
  const shades = Array.from({ length: SHADES }, (_, i) => colour(`--h${i + 1}`));
  pen.fillStyle = colour("--plot");
  pen.fillRect(LEFT, TOP, room, HEIGHT - TOP - BOTTOM);
  map.columns.forEach((column, x) => {
    for (let y = 0; column !== null && y < rows; y++) {
      const shade = column.charCodeAt(y) - 48;
      if (shade > 0) {
        pen.fillStyle = shades[shade - 1];
        // A little larger than the cell: fractions of pixels would leave gaps.
        pen.fillRect(LEFT + x * cell.width, TOP + (rows - 1 - y) * cell.height, cell.width + 0.4, cell.height + 0.4);
      }
    }
  });
  pen.fillStyle = colour("--dim");
  valueAxis(pen, map, rows, cell);
  timeAxis(pen, map, cell, room);
}

function valueAxis(pen, map, rows, cell) {
  const every = Math.max(1, Math.ceil(22 / cell.height));
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  for (let edge = 0; edge <= rows; edge += every) {
    const y = TOP + (rows - edge) * cell.height;
    pen.fillText(map.labels[edge], LEFT - 6, Math.min(HEIGHT - BOTTOM - 5, Math.max(TOP + 5, y)));
  }
}

function timeAxis(pen, map, cell, room) {
  pen.textBaseline = "top";
  const used = Math.min(room, map.columns.length * cell.width);
  const labels = Math.max(1, Math.min(map.columns.length, Math.floor(used / 80)));
  for (let i = 0; i <= labels; i++) {
    const column = Math.round((i * map.columns.length) / labels);
    pen.textAlign = i === 0 ? "left" : i === labels && used > room - 30 ? "right" : "center";
    pen.fillText(clock(map.start_s + column * map.width_s), LEFT + column * cell.width, HEIGHT - BOTTOM + 6);
  }
}

/** Draws the maps again, in the colours of the present scheme. */
export function redrawHeat() {
  showHeat(last);
}

new ResizeObserver(redrawHeat).observe(byId("maps"));
