// What lies above the page for a moment: short notes, alerts, the large picture, the small menu.

import { element } from "./words.js";

const byId = (id) => document.getElementById(id);

export function toast(text) {
  const made = element("div", { class: "toast", "data-testid": "toast" }, text);
  byId("toasts").append(made);
  setTimeout(() => made.remove(), 3500);
}

export function alertBox(text) {
  byId("alert-text").textContent = text;
  const box = byId("alert");
  if (!box.open) box.showModal();
}

export function enlarge(address) {
  byId("viewer-image").src = address;
  byId("viewer").showModal();
}

byId("viewer").addEventListener("click", () => byId("viewer").close());

export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = element("textarea", { value: text, class: "hidden" });
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  toast("Copied");
}

// Items are [label, run]; closes on Escape, on a click elsewhere and after a choice. It opens below
// its anchor, or where the pointer is.
export function menu(items, anchor, pointer) {
  const box = byId("menu");
  const close = (back) => {
    box.hidden = true;
    document.removeEventListener("pointerdown", outside, true);
    if (back) anchor.focus();
  };
  const outside = (event) => { if (!box.contains(event.target)) close(false); };
  box.replaceChildren(...items.map(([label, run]) => {
    const made = element("button", { type: "button", role: "menuitem", "data-testid": `menu-${label.toLowerCase().replaceAll(" ", "-")}` }, label);
    made.addEventListener("click", () => { close(true); run(); });
    return made;
  }));
  box.onkeydown = (event) => {
    const buttons = [...box.children];
    const place = buttons.indexOf(document.activeElement);
    if (event.key === "Escape") close(true);
    else if (event.key === "ArrowDown") buttons[(place + 1) % buttons.length].focus();
    else if (event.key === "ArrowUp") buttons.at(place - 1).focus();
    else return;
    event.preventDefault();
  };
  box.hidden = false;
  const at = pointer ? { left: pointer.clientX, bottom: pointer.clientY } : anchor.getBoundingClientRect();
  box.style.left = `${Math.max(8, Math.min(at.left, innerWidth - box.offsetWidth - 8))}px`;
  box.style.top = `${Math.max(8, Math.min(at.bottom + 4, innerHeight - box.offsetHeight - 8))}px`;
  document.addEventListener("pointerdown", outside, true);
  box.firstChild.focus();
}
