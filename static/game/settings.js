// Settings that apply as soon as they are chosen; the form itself is sent by htmx, or by its button.

const root = document.documentElement;
const form = document.querySelector("form.settings");

// Sounds are loaded only by players who want to hear them.
const effects = () => import(form.dataset.effects);

function paint(theme) {
  document.querySelector("meta[name=color-scheme]").content = theme === "system" ? "light dark" : theme;
  for (const meta of document.querySelectorAll("meta[name=theme-color]")) {
    const { of } = meta.dataset;
    meta.media = theme === "system" ? `(prefers-color-scheme: ${of})` : theme === of ? "all" : "not all";
  }
}

function apply(name, value) {
  root.dataset[name] = value;
  if (name === "theme") paint(value);
}

// What the cookie keeps: a choice that did not get through is taken back.
let kept = new FormData(form);
document.addEventListener("htmx:afterRequest", ({ detail }) => { if (detail.successful) kept = new FormData(form); });
for (const failure of ["htmx:sendError", "htmx:responseError"]) {
  document.addEventListener(failure, () => {
    for (const input of form.querySelectorAll("input:not([type=hidden])")) {
      if (!["radio", "checkbox"].includes(input.type)) input.value = kept.get(input.name);
      else if (input.checked !== kept.getAll(input.name).includes(input.value)) input.checked = !input.checked;
    }
    for (const [name, value] of kept) if (name in root.dataset) apply(name, value);
  });
}

form.addEventListener("change", async ({ target: { name, value } }) => {
  apply(name, value);
  if (["sound", "volume"].includes(name) && root.dataset.sound === "on") (await effects()).play("hit");
  if (name === "haptics" && value === "on") (await effects()).shake("hit");
});
form.addEventListener("click", async ({ target: { dataset: { effect } } }) => {
  if (effect) (await effects()).play(effect);
});

document.querySelectorAll(".needs-script").forEach((element) => { element.hidden = false; });
