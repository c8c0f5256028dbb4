// While an exercise is made: shows its board, and at each field what is wrong with it.
import { ours } from "../game/answers.js";

const PAUSE = 400; // milliseconds without a key
const form = document.querySelector(".making");
let timer = 0;
let newest = 0;

async function show() {
  const number = newest += 1;
  const answer = await ours(form.getAttribute("action"), { method: "POST", body: new URLSearchParams(new FormData(form)) });
  if (!answer?.ok || number !== newest) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  document.getElementById("picture").replaceWith(page.getElementById("picture"));
  for (const fresh of page.querySelectorAll("[id^=refused-]")) {
    const told = document.getElementById(fresh.id);
    if (told.textContent !== fresh.textContent) told.textContent = fresh.textContent;
  }
}

form.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(show, PAUSE);
});
