// The sea is that of the player's own day: the server knows only that of UTC, unless it is told.

const REFUSED = "day-refused";
const here = () => {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((it) => String(it).padStart(2, "0")).join("-");
};
const game = document.querySelector("#game[data-day]");

// No clock of the world shows what this device's does: it is told so once, and then plays the day of UTC.
if (document.querySelector("[data-refused]") && new URLSearchParams(location.search).get("day") === here()) {
  try { sessionStorage.setItem(REFUSED, here()); } catch { /* it is told again, then */ }
}
const query = () => {
  try { if (sessionStorage.getItem(REFUSED) === here()) return ""; } catch { /* nothing is kept there */ }
  return `?day=${here()}`;
};

for (const link of document.querySelectorAll("a[data-daily]")) link.search = query();
// The page may have been open since yesterday: a link is made anew when it is followed.
for (const kind of ["pointerdown", "keydown", "click"]) {
  document.addEventListener(kind, ({ target }) => {
    const link = target.closest?.("a[data-daily]");
    if (link) link.search = query();
  }, true);
}
// Before its first shot a sea of another day leads to the player's own.
if (game?.dataset.fresh !== undefined && game.dataset.day !== here() && query()) {
  location.replace(`${game.dataset.fresh}${query()}`);
}
