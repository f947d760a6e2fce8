"use strict";
const spoken = document.querySelector(".spoken");
for (const frame of document.querySelectorAll(".frame")) {
const left = (place) => parseFloat(place.style.left);
const places = [...frame.querySelectorAll(".h,.dot")].sort((a, b) => left(a) - left(b));
if (!places.length) continue;
let at = -1;
const show = (to) => {
places[at]?.classList.remove("on");
at = to;
places[at]?.classList.add("on");
spoken.textContent = at < 0 ? "" : [...places[at].querySelector("span").childNodes].map((each) => each.textContent).filter(Boolean).join(", ");
};
const last = places.length - 1;
const keys = {
ArrowRight: () => Math.min(at + 1, last),
ArrowLeft: () => (at < 0 ? last : Math.max(at - 1, 0)),
Home: () => 0,
End: () => last,
Escape: () => -1,
};
frame.tabIndex = 0;
frame.setAttribute("role", "application");
frame.setAttribute("aria-roledescription", "plot");
frame.setAttribute("aria-label", `${frame.closest("figure").querySelector("figcaption").textContent}. Arrow keys, Home and End read its values.`);
frame.addEventListener("keydown", (event) => {
const to = event.ctrlKey || event.metaKey || event.altKey ? null : keys[event.key];
if (!to) return;
event.preventDefault();
show(to());
});
frame.addEventListener("blur", () => show(-1));
}
