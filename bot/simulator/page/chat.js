// The page: opens the line to the simulator and hands what comes over it to the parts.

import "./theme.js";
import { act, read, watch } from "./api.js";
import { face } from "./bubbles.js";
import * as composer from "./composer.js";
import { copy, enlarge, menu, toast } from "./dialogs.js";
import { press, showAnswer } from "./presses.js";
import { actor, colourOf, inOrder, nameOf, openChat, store, summaryOf, takeState, takeTranscript, timeOf, titleOf, writersOf } from "./store.js";
import * as timeline from "./timeline.js";
import { element } from "./words.js";

const byId = (id) => document.getElementById(id);
const TYPING_MS = 5500;
const SETTLED_MS = 2500;
const RETRY_MS = 1000;
let typingTimer = 0;
let speakTimer = 0;
let held = [];
let refreshes = 0;

const on = {
  find: timeline.find,
  enlarge,
  copy,
  command: (text) => composer.say(text),
  reply: composer.answer,
  press,
  more(message, anchor, pointer) {
    const own = message.from.id === actor();
    const content = message.text ?? message.caption;
    menu([
      ["Reply", () => composer.answer(message)],
      ...(content ? [["Copy text", () => copy(content)]] : []),
      ...(own && !message.sticker ? [["Edit", () => composer.edit(message)]] : []),
      ...(own || openChat().type === "private" ? [["Delete", () => remove(message)]] : []),
    ], anchor, pointer);
  },
};

async function remove(message) {
  try {
    await act("deletions", { person_id: actor(), chat_id: store.openId, message_id: message.message_id });
  } catch (error) {
    toast(error.message);
  }
}

function onEvent(event) {
  if (held) held.push(event);
  else if (event.type === "message") take(event.chat_id, event.message);
  else if (event.type === "deleted") forget(event.chat_id, event.message_id);
  else if (event.type === "action") showTyping(event.chat_id, event.action);
  else if (event.type === "answer") showAnswer(event);
  else if (event.type === "state") refresh();
}

function take(chatId, message) {
  // A chat may speak before it is known what it is called.
  if (!store.messages.has(chatId)) store.messages.set(chatId, new Map());
  const kept = store.messages.get(chatId);
  const isNew = !kept.has(message.message_id);
  kept.set(message.message_id, message);
  if (chatId === store.openId) {
    timeline.draw(message, on);
    if (isNew && message.from.is_bot) hideTyping();
    if (message.from.id !== actor()) speak(message);
  } else if (isNew) {
    store.unread.set(chatId, (store.unread.get(chatId) ?? 0) + 1);
  }
  drawChats();
}

// A screen reader hears an answer once, when it has stopped growing.
function speak(message) {
  clearTimeout(speakTimer);
  const line = `${nameOf(message.from)}: ${summaryOf(message)}`;
  speakTimer = setTimeout(() => { byId("spoken").textContent = line; }, SETTLED_MS);
}

function forget(chatId, messageId) {
  store.messages.get(chatId)?.delete(messageId);
  if (chatId === store.openId) timeline.erase(messageId);
  drawChats();
}

function showTyping(chatId, action) {
  if (chatId !== store.openId) return;
  clearTimeout(typingTimer);
  typingTimer = setTimeout(hideTyping, TYPING_MS);
  const deed = action === "typing" ? "is writing" : "is busy";
  const line = byId("typing");
  if (line.dataset.deed === deed) return;
  line.dataset.deed = deed;
  line.replaceChildren(element("i"), element("i"), element("i"), `${nameOf(store.bot)} ${deed}`);
}

function hideTyping() {
  clearTimeout(typingTimer);
  delete byId("typing").dataset.deed;
  byId("typing").replaceChildren();
}

// Of several answers under way only the last one asked for counts: they may overtake each other.
async function refresh() {
  const mine = ++refreshes;
  const state = await read("state").catch(() => null);
  if (mine !== refreshes) return;
  if (!state) {
    load();
    return;
  }
  takeState(state);
  byId("about").textContent = store.about;
  drawHead();
  drawChats();
  composer.drawActors();
  composer.suggest();
  document.dispatchEvent(new CustomEvent("chat"));
}

// What happens while the past is being read waits until it is there; what cannot be read is read
// again, until the line breaks or it can.
async function load() {
  held = [];
  const mine = ++refreshes;
  try {
    const state = await read("state");
    const chatIds = state.chats.map((chat) => chat.id);
    const transcripts = await Promise.all(chatIds.map((chatId) => read(`chats/${chatId}/messages`)));
    if (mine !== refreshes) return;
    takeState(state);
    chatIds.forEach((chatId, place) => takeTranscript(chatId, transcripts[place]));
  } catch {
    byId("offline").hidden = false;
    setTimeout(() => { if (mine === refreshes) load(); }, RETRY_MS);
    return;
  }
  byId("offline").hidden = true;
  byId("about").textContent = store.about;
  if (!store.chats.has(store.openId)) open([...store.chats.keys()][0]);
  else show();
  const missed = held;
  held = null;
  missed.forEach(onEvent);
}

function open(chatId) {
  const leaving = store.openId;
  store.openId = chatId;
  store.unread.delete(chatId);
  hideTyping();
  composer.switchTo(leaving);
  show();
}

function show() {
  drawHead();
  drawChats();
  composer.drawActors();
  composer.suggest();
  timeline.drawAll(on);
  document.dispatchEvent(new CustomEvent("chat"));
}

function drawHead() {
  const chat = openChat();
  const isGroup = chat.type !== "private";
  byId("title").textContent = titleOf(chat);
  const names = writersOf(chat).map((person) => person.first_name).join(", ");
  byId("subtitle").textContent = isGroup ? `${names} and ${nameOf(store.bot)}` : `@${store.bot.username} · bot in the simulator`;
  byId("privacy-box").hidden = !isGroup;
  byId("privacy").checked = store.privacy;
  const invitation = isGroup ? "Reply to a picture with /ocr" : "Write a message, drop or paste a picture";
  byId("text").placeholder = matchMedia("(max-width: 760px)").matches ? "Write a message" : invitation;
}

function drawChats() {
  const newest = (chat) => inOrder(chat.id).at(-1);
  const focused = document.activeElement?.dataset.chatId;
  byId("chats").replaceChildren(...[...store.chats.values()].map((chat) => {
    const last = newest(chat);
    const picture = chat.type === "private" ? face(store.bot) : element("span", { class: "face", "aria-hidden": "true" }, titleOf(chat).slice(0, 1));
    if (chat.type !== "private") picture.style.setProperty("--face", colourOf(chat.id));
    const name = element("span", { class: "name" }, titleOf(chat));
    const line = last ? `${chat.type === "private" ? "" : `${last.from.first_name}: `}${summaryOf(last)}` : "No messages yet";
    const count = store.unread.get(chat.id);
    const time = last ? element("time", {}, timeOf(last.date)) : null;
    const badge = count ? element("span", { class: "badge", "data-testid": "unread", "aria-label": `${count} new` }, String(count)) : null;
    const made = element("button", { type: "button", class: "chat", "data-testid": `chat-${chat.type === "private" ? "private" : "group"}`, "data-chat-id": chat.id }, picture, element("span", { class: "upper" }, name, time), element("span", { class: "lower" }, element("span", { class: "preview" }, line), badge));
    if (chat.id === store.openId) made.setAttribute("aria-current", "true");
    made.addEventListener("click", () => { document.body.dataset.view = "chat"; open(chat.id); });
    return element("li", {}, made);
  }));
  if (focused) byId("chats").querySelector(`[data-chat-id="${focused}"]`)?.focus();
}

byId("back").addEventListener("click", () => { document.body.dataset.view = "list"; });
byId("privacy").addEventListener("change", () => act("profile", { privacy_mode: byId("privacy").checked }).catch((error) => toast(error.message)));
composer.startComposer(() => timeline.drawAll(on));
watch({ onOpen: load, onEvent, onBreak: () => { byId("offline").hidden = false; } });
