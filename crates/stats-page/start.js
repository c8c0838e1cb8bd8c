
// scripts/page adds this to what wasm-bindgen wrote.

// The overlay's keys that browsers also use: F1 opens help, F3 and Ctrl+F search the page.
const isOfBrowser = ({ key, ctrlKey, metaKey }) =>
  key === "F1" || key === "F3" || (key === "f" && (ctrlKey || metaKey));
addEventListener("keydown", (event) => isOfBrowser(event) && event.preventDefault(), { capture: true });

try {
  await __wbg_init({ module_or_path: "page-HASH.wasm" });
  // The overlay receives keys once the canvas has the focus.
  document.getElementById("app").focus();
} catch (error) {
  document.getElementById("text").textContent = `The overlay does not start: ${error}`;
}
