// Copies a text with its link or hands it to the device's own ways of sharing. Loaded once it is needed.

const box = (button) => button.closest("section").querySelector(".to-copy");

function offer() {
  for (const button of document.querySelectorAll("[data-share]")) button.hidden = !navigator.share;
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.hidden = false;
    button.classList.toggle("primary", !navigator.share);
  }
  const panel = document.querySelector(".share[popover]");
  if (panel?.showPopover && !panel.matches(":popover-open")) panel.showPopover();
}

// Where the page has no safe way, as on a plain address, the browser copies what is selected.
function copySelected(input, text) {
  const link = input.value;
  input.value = text;
  input.select();
  const done = document.execCommand("copy");
  input.value = link;
  return done;
}

async function copy(button) {
  const input = box(button);
  const text = [input.dataset.text, input.value].filter(Boolean).join(" ").replace("\n ", "\n");
  const said = button.closest("section").querySelector("[data-said]");
  let done = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    done = copySelected(input, text);
  }
  said.textContent = done ? button.dataset.done : button.dataset.failed;
}

function share(button) {
  const { value: url, dataset: { text } } = box(button);
  navigator.share(text ? { text, url } : { url }).catch(() => { /* whoever closes the sheet has changed their mind */ });
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy], [data-share]");
  if (button) (button.matches("[data-copy]") ? copy : share)(button);
});
document.addEventListener("htmx:afterSettle", (event) => { if (event.target.id === "panel") offer(); });
offer();
