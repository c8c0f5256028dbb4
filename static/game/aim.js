// Aim first: a press on a cell takes aim, and a button of its own fires.
import { rowsOf } from "./boards.js";
import { onEscape } from "./escape.js";
import { called, filled, find, selectorOf } from "./page.js";

const shooter = () => document.getElementById("act-fire");

function aim(button) {
  const fire = shooter();
  fire.hidden = !button;
  if (button) fire.dataset.at = selectorOf(button);
  else delete fire.dataset.at;
  fire.replaceChildren(...(button ? filled(fire.dataset.words, { "{cell}": called(button.parentNode) }) : []));
  if (button?.form.elements.wreck && button.parentNode.dataset.state === "sunk") {
    fire.append(Object.assign(document.createElement("small"), { textContent: fire.dataset.wreck }));
  }
  const rows = rowsOf(document.querySelector("[data-board=enemy] table"));
  const x = Math.max(...rows.map((row) => row.indexOf(button)));
  for (const row of rows) {
    row.forEach((other, at) => {
      other.parentNode.classList.toggle("is-line", Boolean(button) && (at === x || row.includes(button)));
      other.parentNode.classList.toggle("is-cross", other === button);
    });
  }
}

document.addEventListener("click", (event) => {
  const fire = shooter();
  if (!fire) return;
  const button = event.target.closest(".firing button[name=cell]:not([aria-disabled])");
  if (event.target === fire) {
    const aimed = find(fire.dataset.at);
    fire.dataset.sure = "yes";
    aimed?.click();
    delete fire.dataset.sure;
  } else if (button && !fire.dataset.sure) {
    event.preventDefault();
    event.stopPropagation();
    aim(button);
    if (event.detail === 0) fire.focus();
  }
}, true);

// The button has said it, so the answer needn't ask about a wreck.
document.addEventListener("htmx:configRequest", ({ detail: { parameters } }) => {
  if (shooter()?.dataset.sure) delete parameters.wreck;
});

document.addEventListener("htmx:afterSettle", () => { if (shooter()) aim(null); });
onEscape(() => {
  const aimed = find(shooter()?.dataset.at);
  if (!aimed) return false;
  aim(null);
  aimed.focus();
  return true;
});
