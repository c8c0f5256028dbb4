// The player's own day, by which a game of the day is chosen, and the time to the next one. The server by itself knows
// only UTC's day.

import { named } from "./page.js";

const REFUSED = named("day-refused");
export const here = () => {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((it) => String(it).padStart(2, "0")).join("-");
};
const game = document.querySelector("#game[data-day]");
const opened = new Date();

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
function lead() {
  const fresh = document.querySelector("#game[data-fresh]");
  if (game && fresh && fresh.dataset.day !== here() && query()) location.replace(`${fresh.dataset.fresh}${query()}`);
}

// The midnight after a game's day, in milliseconds: the player's own, in whatever zone and season.
function midnight(day) {
  if (!query()) return Date.UTC(opened.getUTCFullYear(), opened.getUTCMonth(), opened.getUTCDate() + 1);
  const [year, month, date] = day.split("-").map(Number);
  return new Date(year, month - 1, date + 1).getTime();
}

// The time until the next games come, or that they are there. It needs no seconds.
function count(next) {
  const [words, link] = next.children;
  const day = next.dataset.day ?? document.getElementById("today")?.dataset.day;
  const left = Math.ceil((midnight(day) - Date.now()) / 60000);
  words.hidden = left <= 0;
  link.hidden = left > 0;
  words.textContent = words.dataset.words.replace("{hours}", Math.floor(left / 60)).replace("{minutes}", left % 60);
}

// Marks the player's day in a calendar, whose mark is UTC's, and hides weeks to come. A date that no time zone had when
// the calendar was made is that of a wrong clock.
function mark(calendar) {
  const day = here(), { open } = calendar.dataset;
  if (open && !open.split(" ").includes(day)) return;
  calendar.dataset.open = "";
  for (const time of calendar.querySelectorAll("time")) {
    if (time.dateTime === day) time.closest("td").setAttribute("aria-current", "date");
    else time.closest("td").removeAttribute("aria-current");
  }
  for (const row of calendar.querySelectorAll("tr[data-week]")) {
    row.hidden = row.dataset.week > day && !row.querySelector("span");
  }
}

function update() {
  document.querySelectorAll(".next-sea").forEach(count);
  document.querySelectorAll(".calendar").forEach(mark);
}
lead();
update();
setInterval(update, 30000);
document.addEventListener("htmx:afterSettle", update);
for (const kind of ["visibilitychange", "pageshow"]) {
  window.addEventListener(kind, () => {
    if (document.hidden) return;
    lead();
    update();
  }, true);
}
