// The row of today's games.

import { here, query } from "../game/days.js";

// The server knows only UTC's day: if the player's own is another, its row of games takes the place of that one's. So
// it does after midnight, in a page that stays open.
let asked = "";
function renew() {
  const row = document.getElementById("today");
  if (!row || document.hidden || row.dataset.day === here() || asked === here() || !query()) return;
  asked = here();
  htmx.ajax("GET", `${row.dataset.address}${query()}`, { target: row, swap: "morph" });
}
renew();
setInterval(renew, 30000);
for (const kind of ["visibilitychange", "pageshow"]) window.addEventListener(kind, renew, true);
