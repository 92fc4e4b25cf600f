// Where messages are made: text, pictures by dialog, drop and paste, samples, answers, edits.

import { act } from "./api.js";
import { toast } from "./dialogs.js";
import { startDropping } from "./dropping.js";
import { actor, nameOf, openChat, store, summaryOf, writersOf } from "./store.js";
import { threadId } from "./topics.js";
import { element } from "./words.js";

const byId = (id) => document.getElementById(id);
const field = byId("text");
const MAX_FILES = 10;
const UNFIT = /^(IMAGE_PROCESS_FAILED|PHOTO_INVALID_DIMENSIONS)$/;

let files = [];
let answered = null;
let edited = null;
let redraw = () => {};

export function startComposer(onActor) {
  redraw = onActor;
  byId("composer").addEventListener("submit", (event) => { event.preventDefault(); send(); });
  field.addEventListener("input", () => { grow(); suggest(); });
  field.addEventListener("keydown", onKey);
  byId("attach").addEventListener("click", () => byId("file").click());
  byId("file").addEventListener("change", () => { attach([...byId("file").files]); byId("file").value = ""; });
  byId("attached-close").addEventListener("click", () => { attach(null); field.focus(); });
  byId("context-close").addEventListener("click", () => { drop(); field.focus(); });
  for (const button of document.querySelectorAll(".sample")) button.addEventListener("click", () => sample(button));
  startDropping(field, attach);
  grow();
}

// Another chat: its own half-written text, its own people.
export function switchTo(leavingId) {
  if (leavingId) store.drafts.set(leavingId, field.value);
  attach(null);
  drop();
  field.value = store.drafts.get(store.openId) ?? "";
  grow();
  drawActors();
}

export function drawActors() {
  const chat = openChat();
  const people = writersOf(chat);
  const box = byId("actors");
  box.hidden = people.length < 2;
  box.replaceChildren(box.querySelector("legend"), ...people.map((person) => {
    const input = element("input", { type: "radio", name: "actor", value: String(person.id), checked: person.id === actor() });
    input.addEventListener("change", () => { store.actors.set(chat.id, person.id); redraw(); });
    return element("label", { "data-testid": `actor-${person.first_name.toLowerCase()}` }, input, nameOf(person));
  }));
}

export function answer(message) {
  edited = null;
  answered = message;
  showContext(`Reply to ${nameOf(message.from)}`, summaryOf(message));
}

export function edit(message) {
  answered = null;
  edited = message;
  field.value = message.text ?? message.caption ?? "";
  grow();
  showContext("Edit your message", summaryOf(message));
}

export async function say(text) {
  await post("messages", { ...place(), text });
}

function place() {
  const at = { person_id: actor(), chat_id: store.openId };
  if (answered) return { ...at, reply_to: answered.message_id };
  return threadId() ? { ...at, thread_id: threadId() } : at;
}

async function post(name, fields) {
  try {
    await act(name, fields);
    return true;
  } catch (error) {
    toast(error.message);
    return false;
  }
}

async function send() {
  const text = field.value.trim();
  if (edited) {
    const done = await post("edits", { person_id: actor(), chat_id: store.openId, message_id: edited.message_id, text });
    if (done) clear();
  } else if (files.length > 0) {
    if (await sendFiles(files, text)) clear();
  } else if (text) {
    // The field is free at once: two quick messages are two messages.
    const fields = { ...place(), text };
    clear();
    if (!await post("messages", fields)) { field.value = text; grow(); }
  }
}

async function sendFiles(sent, caption) {
  const asFile = byId("as-file").checked;
  const form = new FormData();
  for (const [name, value] of Object.entries(place())) form.append(name, String(value));
  if (sent.length > 1 && sent.every(isPicture)) {
    sent.forEach((file, number) => form.append(`file${number + 1}`, file, file.name));
    form.append("caption1", caption);
    form.append("as_files", String(asFile));
    return post("albums", form);
  }
  form.append("file", sent[0], sent[0].name);
  form.append("caption", caption);
  if (asFile || !isPicture(sent[0])) return post("documents", form);
  try {
    await act("photos", form);
  } catch (error) {
    // What cannot be shown as a photo goes as the file it is.
    if (!UNFIT.test(error.message)) { toast(error.message); return false; }
    toast("This cannot be sent as a photo, so it goes as a file.");
    return post("documents", form);
  }
  return true;
}

async function sample(button) {
  const name = button.dataset.sample;
  const blob = await (await fetch(`/page/samples/${name}`)).blob();
  if (await sendFiles([new File([blob], name, { type: blob.type })], field.value.trim())) clear();
}

function isPicture(file) {
  return /^image\/(jpeg|png|webp|gif|bmp|tiff)$/.test(file.type);
}

function attach(added) {
  for (const image of byId("attached-list").querySelectorAll("img")) URL.revokeObjectURL(image.src);
  files = added === null ? [] : [...files, ...added].slice(0, MAX_FILES);
  if (files.length > 1 && !files.every(isPicture)) files = files.slice(-1);
  byId("attached").hidden = files.length === 0;
  byId("as-file").checked = files.length > 0 && !files.every(isPicture);
  byId("as-file").disabled = !files.every(isPicture);
  byId("attached-list").replaceChildren(...files.map((file) => {
    const picture = isPicture(file) ? element("img", { src: URL.createObjectURL(file), alt: "" }) : null;
    return element("li", {}, picture, element("span", {}, file.name));
  }));
  ready();
  if (files.length > 0) field.focus();
}

function showContext(title, text) {
  byId("context-title").textContent = title;
  byId("context-text").textContent = text;
  byId("context").hidden = false;
  ready();
  field.focus();
}

function drop() {
  if (edited) field.value = "";
  answered = null;
  edited = null;
  byId("context").hidden = true;
  grow();
}

function clear() {
  edited = null;
  field.value = "";
  drop();
  attach(null);
  byId("suggestions").hidden = true;
}

function grow() {
  field.style.height = "auto";
  field.style.height = `${Math.min(field.scrollHeight, 190)}px`;
  ready();
}

function ready() {
  byId("send").disabled = !field.value.trim() && files.length === 0;
}

function onKey(event) {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    send();
  } else if (event.key === "Escape") {
    byId("suggestions").hidden = true;
    drop();
  } else if (event.key === "ArrowUp" && !byId("suggestions").hidden) {
    event.preventDefault();
    byId("suggestions").querySelector("li:last-child button").focus();
  }
}

// Drawn again whenever the text, the chat or the commands change.
export function suggest() {
  const typed = /^\/(\w*)$/.exec(field.value);
  const fitting = typed ? (openChat()?.commands ?? []).filter((one) => one.command.startsWith(typed[1])) : [];
  byId("suggestions").hidden = fitting.length === 0;
  byId("suggestions").replaceChildren(...fitting.map((one) => {
    const made = element("button", { type: "button", "data-testid": "suggestion" }, element("strong", {}, `/${one.command}`), element("span", {}, one.description));
    made.addEventListener("click", () => { field.value = `/${one.command}`; send(); field.focus(); });
    return element("li", {}, made);
  }));
}
