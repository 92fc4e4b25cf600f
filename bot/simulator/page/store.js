// What the page knows: chats, people, messages, who writes, what was typed where.

import { noteOf } from "./notes.js";

export const store = {
  about: "",
  bot: null,
  privacy: true,
  people: new Map(),
  chats: new Map(),
  messages: new Map(),
  drafts: new Map(),
  unread: new Map(),
  actors: new Map(),
  openId: 0,
};

export function takeState(state) {
  store.about = state.about;
  store.bot = state.bot;
  store.privacy = state.privacy_mode;
  store.people = new Map(state.people.map((person) => [person.id, person]));
  store.chats = new Map(state.chats.map((chat) => [chat.id, chat]));
  for (const chat of state.chats) {
    if (!store.messages.has(chat.id)) store.messages.set(chat.id, new Map());
    if (!store.actors.has(chat.id)) store.actors.set(chat.id, writersOf(chat)[0]?.id ?? 0);
  }
}

export function takeTranscript(chatId, messages) {
  store.messages.set(chatId, new Map(messages.map((message) => [message.message_id, message])));
}

export function openChat() {
  return store.chats.get(store.openId);
}

export function writersOf(chat) {
  return chat.member_ids.map((id) => store.people.get(id)).filter((one) => one && !one.is_bot);
}

export function actor() {
  return store.actors.get(store.openId);
}

export function inOrder(chatId) {
  return [...(store.messages.get(chatId)?.values() ?? [])].sort((a, b) => a.message_id - b.message_id);
}

export function nameOf(person) {
  return [person.first_name, person.last_name].filter(Boolean).join(" ");
}

export function titleOf(chat) {
  return chat.title || nameOf(store.bot);
}

export function summaryOf(message) {
  const words = message.text || message.caption || "";
  if (message.photo) return words ? `Photo · ${words}` : "Photo";
  if (message.sticker) return "Sticker";
  if (message.document) return words ? `${message.document.file_name} · ${words}` : message.document.file_name;
  return words || noteOf(message);
}

const COLOURS = ["#9c4f3c", "#5f6b3f", "#80567a", "#3f6b70", "#8a6a32", "#4c5c85"];

export function colourOf(id) {
  return COLOURS[Math.abs(id) % COLOURS.length];
}

export function timeOf(seconds) {
  return new Date(seconds * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
}
