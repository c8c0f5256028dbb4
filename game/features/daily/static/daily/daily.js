// The row of today's games.

import { here, query } from "../game/days.js";

// The server knows only UTC's day: if the player's own is another, its row of games takes the place of that one's.
const row = document.getElementById("today");
if (row && row.dataset.day !== here() && query()) {
  htmx.ajax("GET", `${row.dataset.address}${query()}`, { target: row, swap: "outerHTML" });
}
