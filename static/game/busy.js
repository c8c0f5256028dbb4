// On pages with links to expensive ones: if the server is too busy for one, its own page tries again by itself.
document.addEventListener("htmx:responseError", ({ detail: { xhr, pathInfo } }) => {
  if (xhr.getResponseHeader("Refresh")) location.assign(pathInfo.finalRequestPath);
});
