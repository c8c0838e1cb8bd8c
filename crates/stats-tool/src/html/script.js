"use strict";
// The page is complete without this script, which only sorts and searches tables. The page is also
// read as XML, so the script contains neither less-than signs nor ampersands.
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const heads = [...table.tHead.rows[0].cells];
  const collator = new Intl.Collator(undefined, { numeric: true });
  const compared = (a, b) => {
    if (a.dataset.value === undefined) return collator.compare(a.textContent, b.textContent);
    const [x, y] = [Number(a.dataset.value), Number(b.dataset.value)];
    if (Number.isNaN(x)) return Number.isNaN(y) ? 0 : -1;
    return Number.isNaN(y) ? 1 : x - y;
  };
  heads.forEach((head, at) => {
    if (head.textContent === "") return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const wasDown = head.getAttribute("aria-sort") === "descending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", wasDown ? "ascending" : "descending");
      const sign = wasDown ? 1 : -1;
      rows.sort((a, b) => sign * compared(a.cells[at], b.cells[at]));
      body.append(...rows);
    });
  });
  // Short tables need no search.
  if (rows.length > 12) addSearch(table, rows);
}

function addSearch(table, rows) {
  const line = document.createElement("label");
  line.className = "search";
  const input = document.createElement("input");
  input.type = "search";
  const found = document.createElement("span");
  found.className = "muted";
  line.append("Search", input, found);
  table.parentElement.before(line);
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/);
    let count = 0;
    for (const row of rows) {
      const name = row.cells[0].textContent.toLowerCase();
      row.hidden = words.some((word) => !name.includes(word));
      count += row.hidden ? 0 : 1;
    }
    found.textContent = input.value === "" ? "" : count + " of " + rows.length;
  });
}
