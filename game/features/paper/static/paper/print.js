// Opens the browser's dialog for printing.
const button = document.getElementById("act-print");

button.hidden = false;
button.addEventListener("click", () => print());
