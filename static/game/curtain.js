// Two at one device: a page that is left shows nothing when somebody comes back to it.

const shared = () => document.querySelector("#game[data-shared]");

addEventListener("pagehide", () => shared()?.replaceChildren());
addEventListener("pageshow", (event) => {
  if (event.persisted && shared()) location.reload();
});
