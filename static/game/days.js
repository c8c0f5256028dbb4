// The player's own day, by which a game of the day is chosen, and the time to the next one. The server by itself knows
// only UTC's day.

import { named } from "./site.js";

const REFUSED = named("day-refused");
export const here = () => {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((it) => String(it).padStart(2, "0")).join("-");
};
const game = document.querySelector("#game[data-day]");

// If no time zone has this device's date, the server says so once, and the player then plays UTC's day.
if (document.querySelector("[data-refused]") && new URLSearchParams(location.search).get("day") === here()) {
  try { sessionStorage.setItem(REFUSED, here()); } catch { /* then the server says it again */ }
}
export const query = () => {
  try { if (sessionStorage.getItem(REFUSED) === here()) return ""; } catch { /* nothing can be kept */ }
  return `?day=${here()}`;
};

for (const link of document.querySelectorAll("a[data-daily]")) link.search = query();
// The page may have been open since yesterday, so a link is updated when it is followed.
for (const kind of ["pointerdown", "keydown", "click"]) {
  document.addEventListener(kind, ({ target }) => {
    const link = target.closest?.("a[data-daily]");
    if (link) link.search = query();
  }, true);
}
// Before the first action, the game of another day leads to the player's own.
if (game?.dataset.fresh !== undefined && game.dataset.day !== here() && query()) {
  location.replace(`${game.dataset.fresh}${query()}`);
}

// The time to the player's midnight, when the next games come. It needs no seconds.
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
