// Tiles, notes, tables and sections.

import { byId, element, resize, setClass, setText } from "/dom.js";

/** Shows the headline figures. */
export function showTiles(tiles) {
  const list = byId("tiles");
  resize(list, tiles.length, () => element("div", {}, element("dt"), element("dd"), element("dd", { class: "detail" })));
  tiles.forEach((tile, i) => {
    const [title, value, detail] = list.children[i].children;
    setText(title, tile.title);
    setText(value, tile.value);
    setText(detail, tile.detail);
    setClass(list.children[i], `tile ${tile.tone}`);
  });
  // Two rows without a hole: of an odd number, the first tile takes two places.
  list.style.setProperty("--tiles", Math.ceil(tiles.length / 2));
}

/** Shows the sentences below the tiles. */
export function showNotes(notes) {
  const list = byId("notes");
  resize(list, notes.length, () => element("li"));
  notes.forEach((note, i) => {
    setText(list.children[i], note.text);
    setClass(list.children[i], `note ${note.tone}`);
  });
}

/** Shows a table in its place; keeps the elements of rows that stay. */
export function showTable(place, table) {
  const shape = JSON.stringify([table.caption, table.columns, table.groups]);
  if (place.dataset.shape !== shape) {
    place.dataset.shape = shape;
    place.replaceChildren(...frame(table));
  }
  const body = place.querySelector("tbody");
  resize(body, table.rows.length, () => element("tr"));
  table.rows.forEach((row, y) => {
    const line = body.children[y];
    resize(line, row.length, (x) => cell(table.columns[x].number, x === 0 && !table.columns[0].number));
    row.forEach((value, x) => {
      setText(line.children[x], value.text ?? value);
      setClass(line.children[x], `${table.columns[x].number ? "number" : "text"} ${value.tone ?? ""}`);
    });
  });
  const empty = table.rows.length === 0;
  place.querySelector("table").hidden = empty;
  const [title, sentence] = place.querySelectorAll(".empty, .table-note");
  title.hidden = !empty;
  setText(sentence, table.note ?? "");
  sentence.hidden = !table.note;
  reachable(place.querySelector(".scroll"));
}

function cell(number, heading) {
  return heading ? element("th", { scope: "row" }) : element("td", { class: number ? "number" : "text" });
}

function frame(table) {
  const head = element("thead");
  if (table.groups?.length > 0) {
    head.append(element("tr", {}, ...table.groups.map((group) => group.title === ""
      ? element("td", { colspan: group.span })
      : element("th", { colspan: group.span, scope: "colgroup", class: "group" }, group.title))));
  }
  head.append(element("tr", {}, ...table.columns.map((column) =>
    element("th", { scope: "col", class: column.number ? "number" : "text" }, column.title))));
  const whole = element("table", {}, element("caption", {}, table.caption), head, element("tbody"));
  const empty = element("p", { class: "empty" }, element("strong", {}, table.caption), ` ${table.empty ?? "None."}`);
  return [
    element("div", { class: "scroll", role: "group", "aria-label": table.caption }, whole),
    empty,
    element("p", { class: "table-note", hidden: true }),
  ];
}

/** A table with more columns needs the whole width. */
const COLUMNS_IN_HALF = 6;

let shownSections = "";

/** Shows the sections of the report: lines and tables. They are rebuilt when they change. */
export function showSections(sections) {
  const content = JSON.stringify(sections);
  if (content === shownSections) {
    return;
  }
  shownSections = content;
  byId("sections").replaceChildren(...sections.map((section, i) => {
    const id = `section-${i}`;
    const part = element("section", { "aria-labelledby": id }, element("h2", { id }, section.title));
    let lines = null;
    for (const block of section.blocks) {
      if (block.line !== undefined) {
        lines ??= part.appendChild(element("ul", { class: "lines" }));
        lines.append(element("li", { class: block.tone }, block.line));
      } else {
        lines = null;
        if (block.columns.length > COLUMNS_IN_HALF) {
          part.classList.add("full");
        }
        const place = part.appendChild(element("div"));
        showTable(place, { ...block, caption: block.columns[0].title });
      }
    }
    return part;
  }));
  document.querySelectorAll("#sections .scroll").forEach(reachable);
}

/** A part that scrolls must be reachable with the keyboard; others would only be in the way. */
function reachable(part) {
  if (part.scrollWidth > part.clientWidth) {
    part.tabIndex = 0;
  } else {
    part.removeAttribute("tabindex");
  }
}
