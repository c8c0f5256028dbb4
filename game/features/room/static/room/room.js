// Keeps the numbers on the projector up to date, and loads the page again when its room is full or closed.
import { ours } from "../game/answers.js";

const EVERY = 2000; // milliseconds
const room = document.querySelector("[data-count]");

async function count() {
  const answer = document.hidden ? null : await ours(room.dataset.count);
  if (answer?.ok) {
    const [joined, searching, found, state] = (await answer.text()).split(" ");
    if (state !== room.dataset.state) return location.reload();
    for (const [name, number] of Object.entries({ joined, searching, found })) {
      const shown = room.querySelector(`[data-number=${name}]`);
      if (shown.textContent !== number) shown.textContent = number;
    }
  }
  return setTimeout(count, EVERY);
}

setTimeout(count, EVERY);
