// Keeps the whole logbook in the browser's storage, since a cookie has room for only some years. The page
// contains it, sealed. Every form of the page sends what is kept, and the answer is the union.

import "../game/days.js";
import { named } from "../game/page.js";

const KEY = named("logbook");
const LONGEST = 200000; // characters; no file of a logbook has more
const page = () => document.getElementById("logbook");

function kept() {
  try { return localStorage.getItem(KEY) ?? ""; } catch { return ""; }
}

function keep() {
  const { text, forgotten } = page().dataset;
  try {
    if (forgotten !== undefined) localStorage.removeItem(KEY);
    else if (text) localStorage.setItem(KEY, text);
  } catch { /* the cookie keeps what has room */ }
}

document.addEventListener("formdata", ({ formData }) => {
  if (formData.has("kept")) formData.set("kept", kept());
});
document.addEventListener("change", async ({ target }) => {
  if (target.type !== "file" || !target.files.length) return;
  target.form.elements.text.value = await target.files[0].slice(0, LONGEST).text();
});
document.addEventListener("htmx:afterSettle", keep);

if (!kept()) keep();
else if (page().dataset.offers === undefined) {
  const values = { action: "show", kept: kept() };
  htmx.ajax("POST", page().dataset.address, { target: "#logbook", swap: "morph", values });
}
