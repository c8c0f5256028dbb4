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

form.addEventListener("change", async ({ target: { name, value } }) => {
  root.dataset[name] = value;
  if (name === "theme") paint(value);
  if (["sound", "volume"].includes(name) && root.dataset.sound === "on") (await effects()).play("hit");
  if (name === "haptics" && value === "on") (await effects()).shake("hit");
});
form.addEventListener("click", async ({ target: { dataset: { effect } } }) => {
  if (effect) (await effects()).play(effect);
});

document.querySelectorAll(".needs-script").forEach((element) => { element.hidden = false; });
