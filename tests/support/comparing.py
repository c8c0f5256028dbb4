"""What a page shows, to compare it with a fresh load."""

SHOWN = """() => {
  const news = ["data-you", "data-foe", "data-shots", "data-last-shots", "aria-busy"];
  const set = new Set(["tabindex", "open", "style", "aria-describedby", ...news]);
  const passing = /^(is-sent|is-due|was-hit)$/;
  const lines = [document.title];
  for (const link of document.querySelectorAll("nav a")) lines.push(link.href);
  const text = (words) => words.replace(/\\s+/g, " ").trim();
  function list(node, depth) {
    const classes = [...node.classList].filter((it) => !passing.test(it)).sort().join(".");
    const attributes = [...node.attributes].filter(({ name }) => !set.has(name))
      .map(({ name, value }) => name === "class" ? classes : `${name}=${text(value)}`);
    if (node.matches("input")) attributes.push(`is ${node.value} ${node.checked} ${node.disabled}`);
    lines.push(depth + node.localName + " " + attributes.filter(Boolean).sort().join(" "));
    if (node.matches("[data-load], #panel")) return;
    node.normalize();
    for (const child of node.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) lines.push(...[text(child.data)].filter(Boolean));
      else if (child.nodeType === Node.ELEMENT_NODE && !child.matches(".aim, #ask-box")) {
        list(child, depth + " ");
      }
    }
  }
  list(document.getElementById("main"), "");
  return lines;
}"""
"""All that the page shows, but for the focus, open drawers, and the shots that are news."""
