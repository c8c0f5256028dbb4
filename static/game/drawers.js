// What stands in some drawers is loaded when they are opened, or by a key that reads it out, and again while they are open
// and the match goes on.
import { ours } from "./answers.js";
import { morphChildren } from "./morph.js";
import { find, say, typedKey } from "./page.js";

const links = new WeakMap(); // what a box had before: a link to a page of its own
const latest = new WeakMap(); // the last load of a box
const boxes = () => document.querySelectorAll("#game [data-load]");
const isOpen = (box) => box.closest("details").open;
const isLoaded = (box) => links.has(box);

async function load(box) {
  const own = {};
  latest.set(box, own);
  const answer = await ours(box.dataset.load, { headers: { "HX-Request": "true" } });
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const loaded = page.getElementById(box.id);
  if (!loaded || latest.get(box) !== own) return; // the match has gone on
  if (isLoaded(box)) {
    morphChildren(box, loaded);
    return;
  }
  links.set(box, [...box.childNodes]);
  box.replaceChildren(...loaded.childNodes);
}
function unload(box) {
  latest.delete(box);
  if (!isLoaded(box)) return;
  box.replaceChildren(...links.get(box));
  links.delete(box);
}

document.addEventListener("toggle", ({ target }) => { // it doesn't bubble
  for (const box of boxes()) if (box.closest("details") === target && target.open && !isLoaded(box)) load(box);
}, true);
document.addEventListener("htmx:afterSettle", ({ target }) => {
  if (target.id !== "game") return;
  for (const box of boxes()) {
    if (isOpen(box)) load(box);
    else unload(box);
  }
});

// Letters read out parts of the text view, while the focus is on a board.
document.addEventListener("keydown", async (event) => {
  const key = event.target.closest?.("[data-board]") ? typedKey(event) : "";
  if (!key) return;
  const box = find("#game [data-keys]");
  const isKept = box?.dataset.keys.includes(key);
  if (isKept && !isLoaded(box)) await load(box);
  if (isKept && !isLoaded(box)) say(document.body.dataset.notSent);
  const part = find(`[data-key="${CSS.escape(key)}"]`);
  if (part) say(`${part.previousElementSibling.textContent}: `, "").append(...part.cloneNode(true).childNodes);
});
