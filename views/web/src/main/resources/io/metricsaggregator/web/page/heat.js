// Heat maps: time from left to right, values on a logarithmic scale from bottom to top, the share of a column's values as shade.

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
  resize(place, heat.maps.length, () => element("figure", {},
    element("figcaption"), element("canvas", { role: "img" }), element("p", { class: "summary" })));
  heat.maps.forEach((map, i) => {
    const [title, canvas, summary] = place.children[i].children;
    setText(title, `${map.title}, by time of completion`);
    setText(summary, map.summary);
    canvas.setAttribute("aria-label", `Heat map of ${map.title}. ${map.summary}`);
    draw(canvas, map);
  });
}

function draw(canvas, map) {
  const width = Math.max(160, canvas.parentElement.clientWidth);
  const scale = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(HEIGHT * scale);
  const pen = canvas.getContext("2d");
  pen.scale(scale, scale);
  pen.font = FONT;
  const rows = map.edges_ns.length - 1;
  const room = width - LEFT - 8;
  const cell = { width: Math.min(COLUMN_MAX_PX, room / map.columns.length), height: (HEIGHT - TOP - BOTTOM) / rows };
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
