// Elements with text. Everything shown comes in as text: nothing of a producer is ever parsed as HTML.

/** Makes an element with attributes and children, which are elements or texts. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== "" && value !== false) {
      made.setAttribute(name, value === true ? "" : value);
    }
  }
  made.append(...children);
  return made;
}

/** Sets the text of an element if it differs, so that a selection in it survives. */
export function setText(node, text) {
  if (node.textContent !== text) {
    node.textContent = text;
  }
}

/** Sets the class of an element if it differs. */
export function setClass(node, name) {
  if (node.className !== name) {
    node.className = name;
  }
}

/** Makes a parent have exactly `count` children; further ones come from `make`. */
export function resize(parent, count, make) {
  while (parent.children.length > count) {
    parent.lastElementChild.remove();
  }
  while (parent.children.length < count) {
    parent.append(make(parent.children.length));
  }
}

export const byId = (id) => document.getElementById(id);

/** A colour of the style sheet, by the name of its variable. */
export const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Seconds as `m:ss`, or `h:mm:ss` from an hour on. */
export function clock(seconds) {
  const sign = seconds < 0 ? "-" : "";
  const whole = Math.round(Math.abs(seconds));
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  return sign + (hours > 0 ? `${hours}:${two(minutes)}` : minutes) + ":" + two(whole % 60);
}
