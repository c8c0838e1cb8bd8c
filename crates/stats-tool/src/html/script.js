"use strict";
// The page is complete without this script, which sorts and searches tables and zooms into strips.
// The page can also be read as XML, so the script contains no less-than signs and no ampersands.
for (const strips of document.querySelectorAll(".zoom")) addZoom(strips);
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

// Zooms into strips on one axis: by buttons, by dragging over a part, and by a wheel with Ctrl.
function addZoom(strips) {
  const seconds = Number(strips.dataset.seconds);
  const pictures = [...strips.querySelectorAll("svg")];
  const { width, height } = pictures[0].viewBox.baseVal;
  const marks = [...strips.querySelectorAll(".lane span, .hitches span")].map((mark) => {
    return { mark, left: parseFloat(mark.style.left), width: parseFloat(mark.style.width) };
  });
  const axes = [...strips.querySelectorAll(".ticks:not(.hitches)")].map((ticks) => {
    return { ticks, whole: [...ticks.children] };
  });
  // The part that is shown, from 0 to 1.
  let [from, to] = [0, 1];

  const show = (begin, end) => {
    const share = Math.min(1, Math.max(end - begin, 1 / 1024));
    from = Math.min(Math.max(begin, 0), 1 - share);
    to = from + share;
    strips.classList.toggle("zoomed", share !== 1);
    for (const picture of pictures) {
      picture.setAttribute("viewBox", [from * width, 0, share * width, height].join(" "));
    }
    for (const one of marks) {
      one.mark.style.left = (one.left - 100 * from) / share + "%";
      // The label of a hitch has none.
      if (one.width >= 0) one.mark.style.width = one.width / share + "%";
    }
    for (const { ticks, whole } of axes) ticks.replaceChildren(...(share === 1 ? whole : partTicks()));
    disable(out, share === 1);
    disable(whole, share === 1);
    disable(earlier, from === 0);
    disable(later, to >= 1);
  };
  // A button that has the focus keeps it. Pressed, it changes nothing.
  const disable = (button, isDisabled) => button.setAttribute("aria-disabled", isDisabled);
  const partTicks = () => {
    const least = ((to - from) * seconds) / 6;
    const power = 10 ** Math.floor(Math.log10(least));
    const step = [1, 2, 5, 10].map((digit) => digit * power).find((step) => step >= least * 0.999999);
    const labels = [];
    for (let at = Math.ceil((from * seconds) / step); to * seconds >= at * step; at++) {
      const place = ((at * step) / seconds - from) / (to - from);
      const label = document.createElement("span");
      label.className = place > 0.94 ? "last" : place > 0.03 ? "" : "first";
      label.style.left = 100 * place + "%";
      label.textContent = Number((at * step).toFixed(6)) + " s";
      labels.push(label);
    }
    return labels;
  };
  // Keeps `middle` in place.
  const zoom = (factor, middle) => show(middle - (middle - from) * factor, middle + (to - middle) * factor);
  const move = (share) => show(from + share * (to - from), to + share * (to - from));

  const line = document.createElement("div");
  line.className = "zoom-buttons";
  const button = (name, act) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = name;
    button.addEventListener("click", act);
    line.append(button);
    return button;
  };
  button("Zoom in", () => zoom(0.5, (from + to) / 2));
  const out = button("Zoom out", () => zoom(2, (from + to) / 2));
  const earlier = button("Earlier", () => move(-0.5));
  const later = button("Later", () => move(0.5));
  const whole = button("Whole run", () => show(0, 1));
  strips.prepend(line);

  for (const picture of pictures) {
    const place = (event) => {
      const box = picture.getBoundingClientRect();
      return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    };
    const selection = document.createElement("div");
    selection.className = "selection";
    let start = null;
    picture.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      start = place(event);
      picture.setPointerCapture(event.pointerId);
    });
    picture.addEventListener("pointermove", (event) => {
      if (start === null) return;
      const now = place(event);
      selection.style.left = 100 * Math.min(start, now) + "%";
      selection.style.width = 100 * Math.abs(now - start) + "%";
      picture.parentElement.append(selection);
    });
    const end = (event) => {
      selection.remove();
      if (start === null) return;
      const ends = [start, place(event)].sort((a, b) => a - b);
      start = null;
      if (event.type === "pointercancel") return;
      // A click selects nothing.
      if (ends[1] - ends[0] > 0.005) {
        show(...ends.map((at) => from + at * (to - from)));
      }
    };
    picture.addEventListener("pointerup", end);
    picture.addEventListener("pointercancel", end);
    picture.addEventListener("dblclick", () => show(0, 1));
    picture.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoom(event.deltaY > 0 ? 1.25 : 0.8, from + place(event) * (to - from));
    }, { passive: false });
  }
  show(0, 1);
}
