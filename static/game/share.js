// Copies a text or hands it to the device's own ways of sharing. Loaded once it is needed.

const box = (button) => button.closest("section").querySelector(".to-copy");

function offer() {
  for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;
  for (const button of document.querySelectorAll("[data-share]")) button.hidden = !navigator.share;
}

async function copy(button) {
  const text = box(button);
  const said = button.closest("section").querySelector("[data-said]");
  text.select();
  let done = true;
  try {
    await navigator.clipboard.writeText(text.value);
  } catch {
    done = document.execCommand("copy"); // where the page has no safe way, as on a plain address
  }
  said.textContent = done ? button.dataset.done : button.dataset.failed;
}

function share(button) {
  const { text, link } = box(button).dataset;
  const what = link ? { text, url: link } : { url: box(button).value };
  navigator.share(what).catch(() => { /* whoever closes the sheet has changed their mind */ });
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy], [data-share]");
  if (button) (button.matches("[data-copy]") ? copy : share)(button);
});
document.addEventListener("htmx:afterSettle", offer);
offer();
