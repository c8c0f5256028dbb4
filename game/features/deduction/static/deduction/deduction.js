// Counts the chosen cells and limits their number. Without script the server does.
import { say } from "../game/page.js";

const formOf = (element) => element?.closest?.("form.choosing");
const chosen = (form) => [...form.querySelectorAll("input[name=cell]:checked")];

function count(form) {
  const number = chosen(form).length;
  document.querySelector("[data-count]").textContent = number;
  document.querySelector(".count").hidden = false;
  const send = [...form.elements].find((element) => element.matches("button.primary"));
  if (number === Number(form.dataset.ships)) send.removeAttribute("aria-disabled");
  else send.setAttribute("aria-disabled", "true");
  return number;
}

function prepare() {
  document.querySelectorAll("form.choosing").forEach(count);
}

document.addEventListener("change", (event) => {
  const form = formOf(event.target);
  if (!form || event.target.name !== "cell") return;
  if (chosen(form).length > Number(form.dataset.ships)) {
    event.target.checked = false;
    say(form.dataset.full);
  }
  if (count(form) === Number(form.dataset.ships) && event.target.checked) {
    const status = document.getElementById("status");
    const cells = chosen(form).map((input) => input.value).join(" ");
    status?.replaceChildren(form.dataset.ready.replace("{cells}", cells));
  }
});

document.addEventListener("reset", (event) => {
  const form = formOf(event.target);
  if (form) setTimeout(() => count(form));
});

document.addEventListener("htmx:afterSettle", prepare);
prepare();
