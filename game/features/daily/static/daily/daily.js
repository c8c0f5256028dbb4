// The row of today's games, and the time to the next sea.

import { here, query } from "../game/days.js";

// The server knows only UTC's day: if the player's own is another, its row of games takes the place of that one's.
const row = document.getElementById("today");
if (row && row.dataset.day !== here() && query()) {
  htmx.ajax("GET", `${row.dataset.address}${query()}`, { target: row, swap: "outerHTML" });
}

// The time to the player's midnight, when the next sea comes. It needs no seconds.
function count() {
  const next = document.querySelector(".next-sea");
  if (!next) return;
  const now = new Date();
  const left = Math.ceil((new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1) - now) / 60000);
  next.textContent = next.dataset.words.replace("{hours}", Math.floor(left / 60)).replace("{minutes}", left % 60);
}
count();
setInterval(count, 30000);
document.addEventListener("htmx:afterSettle", count);
