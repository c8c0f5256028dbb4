// Swaps an answer in by changing only what differs. What stays the same keeps its focus, listeners and layout.

// What begins when it appears, such as a request of its own, always appears anew.
const isAlike = (one, other) => one.nodeName === other.nodeName && one.id === other.id &&
  !other.matches?.("[hx-trigger^=load]");
// Scripts set the stops of the tab key, and players open details.
const isKept = (element, name) => (name === "tabindex" && element.matches("button, input")) || name === "open";

// An answer that comes by itself, such as to the other player's shot, leaves what the player uses, has typed or chosen.
let isAsked = true;
document.addEventListener("htmx:beforeSwap", ({ detail: { requestConfig } }) => {
  isAsked = Boolean(requestConfig.triggeringEvent);
});
const isInUse = (element) => !isAsked && (element.open || element.contains(document.activeElement));
const isChanged = (input) => input.value !== input.defaultValue || input.checked !== input.defaultChecked;

let isNews = false; // whether htmx has to read its instructions again
const instructed = "[hx-get], [hx-post]";

function morphAttributes(element, fresh) {
  const isInput = element.nodeName === "INPUT" && (isAsked || !isChanged(element));
  const names = fresh.getAttributeNames();
  for (const name of names) {
    const value = fresh.getAttribute(name);
    if (element.getAttribute(name) === value || (name === "hidden" && isInUse(element))) continue;
    element.setAttribute(name, value);
    isNews ||= name.startsWith("hx-");
  }
  if (element.attributes.length > names.length) {
    for (const name of element.getAttributeNames()) {
      if (fresh.hasAttribute(name) || isKept(element, name)) continue;
      element.removeAttribute(name);
      isNews ||= name.startsWith("hx-");
    }
  }
  if (!isInput) return;
  element.checked = fresh.checked;
  if (element.value !== fresh.value) element.value = fresh.value;
}

export function morphChildren(parent, fresh) {
  let at = parent.firstChild;
  function drop() {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  }
  const comesLater = (child) => {
    let other = child;
    while (other && !isAlike(at, other)) other = other.nextSibling;
    return Boolean(other);
  };
  for (let child = fresh.firstChild, next; child; child = next) {
    next = child.nextSibling; // read now, since an insertion takes the child away
    while (at && !comesLater(child)) drop();
    if (at && isAlike(at, child)) {
      morph(at, child);
      at = at.nextSibling;
    } else {
      parent.insertBefore(child, at);
      isNews ||= Boolean(child.matches?.(instructed) || child.querySelector?.(instructed));
    }
  }
  while (at) drop();
}

function morph(node, fresh) {
  if (node.nodeType !== Node.ELEMENT_NODE) {
    if (node.data !== fresh.data) node.data = fresh.data;
    return;
  }
  morphAttributes(node, fresh);
  // What the player has opened stays: what drawers.js loads, and a panel until the player goes on.
  if (!node.matches(isAsked ? "[data-load]" : "[data-load], .panel")) morphChildren(node, fresh);
}

// An answer to the page that is shown has only what differs: attributes, and in templates elements with ids and cells.
// All else is as the page came, also what was typed or chosen since.
function apply(game, fresh) {
  morphAttributes(game, fresh);
  if (isAsked) for (const form of game.querySelectorAll("form")) form.reset();
  for (const { dataset: { changes: board }, content } of fresh.querySelectorAll(":scope > [data-changes]")) {
    const rows = board && game.querySelector(`[data-board=${board}] tbody`).rows; // to search for a cell takes longer
    for (const part of [...content.children]) {
      const { id, dataset: { cell } } = part;
      const shown = board ? rows[cell.slice(1) - 1].cells[cell.charCodeAt(0) - 64] : document.getElementById(id);
      if (shown) morph(shown, part);
    }
  }
}
// The server knows by the mark of a page what that shows.
document.addEventListener("htmx:configRequest", ({ detail: { headers } }) => {
  const { page } = document.getElementById("game")?.dataset ?? {};
  if (page) headers["Battleship-Page"] = page;
});

// Other pages than a match under way are swapped whole by what the player does there.
const isUnderWay = (game) => game.matches("[data-phase=firing], [data-phase=waiting]") && game.querySelector(".firing");
const isSame = (shown, fresh) => !isUnderWay(shown) === !isUnderWay(fresh) &&
  (isUnderWay(shown) || (!isAsked && shown.dataset.phase === fresh.dataset.phase));

htmx.defineExtension("morph", {
  handleSwap(style, target, fragment, settling) {
    const fresh = style === "morph" && fragment.getElementById(target.id);
    if (!fresh) return false;
    const isPart = fresh.querySelector(":scope > [data-changes]");
    if (isPart ? isUnderWay(target) : isSame(target, fresh)) {
      isNews = false;
      (isPart ? apply : morph)(target, fresh);
      return isNews ? [target] : [];
    }
    target.replaceWith(fresh);
    settling.elts = [...settling.elts.filter((it) => it !== target), fresh];
    return [fresh];
  },
});
