// Copies a text with its link, or passes it to the device's share sheet. Loaded when it is needed.

const box = (button) => button.closest("section").querySelector(".to-copy");

function offer() {
  for (const button of document.querySelectorAll("[data-share]")) button.hidden = !navigator.share;
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.hidden = false;
    button.classList.toggle("primary", !navigator.share);
  }
}

function open() {
  offer();
  const panel = document.querySelector(".share[popover]");
  if (panel?.showPopover && !panel.matches(":popover-open")) panel.showPopover();
}

// Without the clipboard API, as over plain HTTP, the browser copies what is selected.
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
  navigator.share(text ? { text, url } : { url }).catch(() => { /* the player has closed the share sheet */ });
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy], [data-share]");
  if (button) (button.matches("[data-copy]") ? copy : share)(button);
  const reminder = event.target.closest("[data-remind]"); // without a share sheet it opens, and shows the link
  if (reminder && navigator.share) {
    event.preventDefault();
    share(reminder.nextElementSibling);
  }
});
document.addEventListener("htmx:afterSettle", (event) => { if (event.target.id === "panel") open(); });
document.addEventListener("toggle", (event) => { if (event.target.matches(".remind")) offer(); }, true);
open();
