// Keeps the whole logbook in the browser's own storage, for a cookie has room for some years only.
// The page brings it, sealed; every form of the page sends what is kept, and is given the union.

const KEY = "logbook";
const LONGEST = 200000; // characters: more is in no file of a logbook
const page = () => document.getElementById("logbook");

function kept() {
  try { return localStorage.getItem(KEY) ?? ""; } catch { return ""; }
}

function keep() {
  const { text, forgotten } = page().dataset;
  try {
    if (forgotten !== undefined) localStorage.removeItem(KEY);
    else if (text) localStorage.setItem(KEY, text);
  } catch { /* the cookie keeps what it can */ }
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
  htmx.ajax("POST", page().dataset.address, { target: "#logbook", swap: "outerHTML", values });
}
