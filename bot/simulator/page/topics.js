// The topics of a forum: one shows what was said there, and what one writes goes there.

import { store } from "./store.js";
import { element } from "./words.js";

const GENERAL = 0;
const ALL = -1;
const bar = document.getElementById("topics");
const list = document.getElementById("timeline");
const chosen = new Map();

function current() {
  return chosen.get(store.openId) ?? ALL;
}

// The general topic has no number of its own.
export function threadId() {
  return Math.max(current(), GENERAL);
}

export function threadOf(message) {
  return message.is_topic_message ? message.message_thread_id : GENERAL;
}

function drawTopics() {
  const chat = store.chats.get(store.openId);
  const topics = (chat?.topics ?? []).filter((topic) => !topic.deleted);
  bar.hidden = !chat?.is_forum;
  if (bar.hidden) chosen.delete(store.openId);
  if (!topics.some((topic) => topic.thread_id === current()) && current() > GENERAL) chosen.delete(store.openId);
  const all = [{ thread_id: ALL, name: "All" }, { thread_id: GENERAL, name: "General" }, ...topics];
  bar.replaceChildren(...all.map((topic) => {
    const made = element("button", { type: "button", class: "topic", "data-testid": "topic", "aria-pressed": String(topic.thread_id === current()) }, topic.closed ? `${topic.name} (closed)` : topic.name);
    made.addEventListener("click", () => { chosen.set(store.openId, topic.thread_id); drawTopics(); });
    return made;
  }));
  filter();
}

function filter() {
  for (const row of list.querySelectorAll(".row")) row.hidden = !bar.hidden && current() !== ALL && Number(row.dataset.threadId) !== current();
}

new MutationObserver(filter).observe(list, { childList: true });
document.addEventListener("chat", drawTopics);
