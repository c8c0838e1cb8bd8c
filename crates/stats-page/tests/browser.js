
// scripts/test adds this to the page, before `start.js`. It uses the overlay, and logs the result.

const failures = [];
const expect = (what, isRight) => isRight || failures.push(what);
console.error = (...words) => failures.push(words.join(" "));
addEventListener("error", ({ message }) => failures.push(message));
addEventListener("unhandledrejection", ({ reason }) => failures.push(reason));
addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
  failures.push(`${violatedDirective} forbids ${blockedURI}`));

// Otherwise the canvas can only be read between drawing and showing it.
const getContext = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, options) {
  return getContext.call(this, kind, { ...options, preserveDrawingBuffer: true });
};

const token = location.hash.slice(1);
const canvas = document.getElementById("app");
const isPhone = innerWidth < 600;
// No window of Chromium is as narrow as a phone.
if (isPhone) document.documentElement.style.width = "390px";

async function frames(count) {
  while (count-- > 0) await new Promise(requestAnimationFrame);
}

// A slow machine gets what it draws later.
async function until(what, isDone) {
  const end = performance.now() + 120_000;
  while (!(await isDone())) {
    if (performance.now() > end) throw `not within two minutes: ${what}`;
    await frames(2);
  }
}

// Returns which pixels of a part of the canvas have a color: those of lines, and not those of texts and
// of the background, which are gray. The numbers are shares of the width and of the height.
function look({ left, top, right, bottom }) {
  const [x, y] = [left * canvas.width, top * canvas.height];
  const size = [(right - left) * canvas.width, (bottom - top) * canvas.height];
  const copy = new OffscreenCanvas(...size).getContext("2d", { willReadFrequently: true });
  copy.drawImage(canvas, -x, -y);
  const { data } = copy.getImageData(0, 0, ...size);
  const isColored = [];
  for (let at = 0; at < data.length; at += 4) {
    const rgb = data.slice(at, at + 3);
    isColored.push(Math.max(...rgb) - Math.min(...rgb) > 60);
  }
  return isColored;
}

// Where the newest frames of the graph are, and on a phone the middles of what is tapped.
const graph = isPhone
  ? { left: 0.5, top: 0.6, right: 0.95, bottom: 0.95 }
  : { left: 0.75, top: 0.3, right: 0.98, bottom: 0.95 };
const places = { pause: [294, 25], frameTime: [60, 103], packets: [90, 143] };
const drawn = () => look(graph).filter((is) => is).length;
const moved = (before) => look(graph).filter((is, at) => is !== before[at]).length;

async function press(key, code = key) {
  for (const kind of ["keydown", "keyup"]) {
    // Without a number, eframe takes it for a key of a keyboard on a screen.
    const keyCode = key === "Enter" ? 13 : key.charCodeAt(0);
    const event = new KeyboardEvent(kind, { key, code, keyCode, bubbles: true, cancelable: true });
    document.activeElement.dispatchEvent(event);
  }
  await frames(5);
}

async function type(text) {
  const input = document.querySelector("input");
  input.value += text;
  input.dispatchEvent(new InputEvent("input", { data: text, inputType: "insertText", bubbles: true }));
  await frames(10);
}

// Touches for less than a frame: what a slow machine would draw meanwhile makes it a long touch.
async function tap([clientX, clientY]) {
  const touches = [new Touch({ identifier: 1, target: canvas, clientX, clientY })];
  const event = { changedTouches: touches, bubbles: true, cancelable: true };
  canvas.dispatchEvent(new TouchEvent("touchstart", { ...event, touches }));
  canvas.dispatchEvent(new TouchEvent("touchend", event));
  await frames(5);
}

// Searches, and selects or deselects what was found.
async function search(text) {
  await press("/", "Slash");
  await type(text);
  // The first leaves the box for the first row.
  await press("Enter");
  await press("Enter");
}

async function use() {
  expect("the address had no token", /^[0-9a-f]{32}$/.test(token));
  await until("the title names the game", () => document.title === "server-example – stats");
  expect(`the address bar has ${location.href}`, location.pathname === "/" && !location.href.includes("#"));
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  expect(`${loaded} were loaded`, loaded.length === 2 && !loaded.join().includes(token));
  await until("the frame time is drawn", () => drawn() > 100);
  let before = look(graph);
  await until("the line moves", () => moved(before) > 100);

  const pause = () => (isPhone ? tap(places.pause) : press(" ", "Space"));
  await pause();
  await until("the line stands still while paused", async () => {
    before = look(graph);
    await frames(60);
    return moved(before) === 0;
  });
  await pause();
  await until("the line moves again", () => moved(before) > 100);

  await (isPhone ? tap(places.frameTime) : search("frame time"));
  await until("nothing is drawn once the frame time is deselected", () => drawn() === 0);
  if (!isPhone) {
    await search("no-such-series");
    await frames(10);
    expect("a series was found that is not there", drawn() === 0);
  }
  await (isPhone ? tap(places.packets) : search("net/packets"));
  await until("the packets are drawn", () => drawn() > 20);
}

use()
  .catch((error) => failures.push(error))
  .finally(() => console.log(`result: ${failures.length ? failures.join("; ") : "passed"}`));
