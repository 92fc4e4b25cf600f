// The answer that grows before it is sent: shown below the messages, gone with the next of the bot's.

import { store } from "./store.js";
import { toNewest } from "./timeline.js";
import { words } from "./words.js";

const box = document.getElementById("draft");
const LIFE_MS = 30_000;
const drafts = new Map();
const still = { command() {}, copy() {} };
let timer = 0;

function draw() {
  const draft = drafts.get(store.openId);
  box.hidden = !draft;
  if (!draft) return;
  box.replaceChildren(words(draft.text || "Thinking…", draft.entities, still));
  box.classList.toggle("thinking", !draft.text);
  toNewest();
}

function drop(chatId) {
  if (drafts.delete(chatId)) draw();
}

document.addEventListener("simulator", ({ detail: event }) => {
  if (event.type === "draft") {
    drafts.set(event.chat_id, event);
    clearTimeout(timer);
    timer = setTimeout(() => drop(event.chat_id), LIFE_MS);
    draw();
  } else if (event.type === "message" && event.message.from.is_bot) {
    drop(event.chat_id);
  }
});
document.addEventListener("chat", draw);
