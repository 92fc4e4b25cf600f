// The open chat's messages on the screen: added, changed and removed one by one, never redrawn whole
// while somebody reads.

import { row } from "./bubbles.js";
import { inOrder, store } from "./store.js";
import { element } from "./words.js";

const list = document.getElementById("timeline");
const box = document.getElementById("scroll");
const down = document.getElementById("down");
const empty = document.getElementById("empty");
const NEAR_PX = 90;

down.addEventListener("click", toNewest);
box.addEventListener("scroll", () => { down.hidden = isNear(); }, { passive: true });
// Pictures find their size late: who was at the end stays there.
list.addEventListener("load", () => { if (stuck) toNewest(); }, true);
let stuck = true;
// The room above the composer shrinks when that grows.
new ResizeObserver(() => { if (stuck) toNewest(); }).observe(box);
box.addEventListener("scroll", () => { stuck = isNear(); }, { passive: true });

function isNear() {
  return box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX;
}

export function toNewest() {
  box.scrollTop = box.scrollHeight;
  down.hidden = true;
}

export function drawAll(on) {
  list.replaceChildren(...inOrder(store.openId).map((message) => row(message, on)));
  arrange();
  stuck = true;
  toNewest();
}

export function draw(message, on) {
  const near = isNear();
  const old = rowOf(message.message_id);
  const made = row(message, on);
  if (old) {
    keepFocus(old, made);
  } else {
    const next = [...list.querySelectorAll(".row")].find((one) => Number(one.dataset.messageId) > message.message_id);
    list.insertBefore(made, next ?? null);
  }
  arrange();
  if (near) toNewest();
  else if (!old) down.hidden = false;
}

export function erase(messageId) {
  rowOf(messageId)?.remove();
  arrange();
}

export function find(messageId) {
  const found = rowOf(messageId);
  if (!found) return;
  found.scrollIntoView({ block: "center", behavior: "smooth" });
  found.classList.remove("found");
  requestAnimationFrame(() => found.classList.add("found"));
}

function rowOf(messageId) {
  return list.querySelector(`[data-message-id="${messageId}"]`);
}

// A streamed answer is replaced many times: the keyboard's place must survive that.
function keepFocus(old, made) {
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  const place = focused ? [...old.querySelectorAll("button, a")].indexOf(focused) : -1;
  old.replaceWith(made);
  if (place >= 0) made.querySelectorAll("button, a")[place]?.focus({ preventScroll: true });
}

function arrange() {
  empty.hidden = store.messages.get(store.openId)?.size > 0;
  for (const mark of list.querySelectorAll(".day")) mark.remove();
  const rows = [...list.querySelectorAll(".row")];
  let day = "";
  rows.forEach((one, place) => {
    const sameAs = (other) => other !== undefined && other.dataset.senderId === one.dataset.senderId;
    one.classList.toggle("first", !sameAs(rows[place - 1]));
    one.classList.toggle("last", !sameAs(rows[place + 1]));
    const name = one.querySelector(".who");
    if (name) name.hidden = sameAs(rows[place - 1]);
    const today = dayOf(one.querySelector("time").dateTime);
    if (today !== day) one.before(element("li", { class: "day" }, today));
    day = today;
  });
}

function dayOf(iso) {
  const date = new Date(iso);
  if (date.toDateString() === new Date().toDateString()) return "Today";
  return date.toLocaleDateString([], { weekday: "long", day: "numeric", month: "long" });
}
