// Two players at one device: a page that was left shows nothing when the other comes back to it.

const shared = () => document.querySelector("#game[data-shared]");

addEventListener("pagehide", () => shared()?.replaceChildren());
addEventListener("pageshow", (event) => {
  if (event.persisted && shared()) location.reload();
});
