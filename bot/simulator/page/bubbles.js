// One message as a row of the timeline. Everything a person can do with it comes in as `on`.

import { fileUrl } from "./api.js";
import { actor, colourOf, nameOf, openChat, summaryOf, timeOf } from "./store.js";
import { noteOf } from "./notes.js";
import { threadOf } from "./topics.js";
import { element, words } from "./words.js";

const ICONS = {
  reply: "M10 7L5 12l5 5M5.5 12H14a5 5 0 015 5v1",
  more: "M6 12h.01M12 12h.01M18 12h.01",
  copy: "M9 9h10v11H9zM15 9V4H5v11h4",
  away: "M8 16L17 7M9 7h8v8",
};

export function face(person, size = "") {
  const letter = person.is_bot ? "" : nameOf(person).slice(0, 1).toUpperCase();
  const made = element("span", { class: `face ${person.is_bot ? "bot" : ""} ${size}`, "aria-hidden": "true" }, letter);
  made.style.setProperty("--face", colourOf(person.id));
  return made;
}

export function row(message, on) {
  const mine = message.from.id === actor();
  const made = element("li", {
    class: `row ${mine ? "mine" : "theirs"}`,
    "data-testid": "message",
    "data-message-id": message.message_id,
    "data-sender-id": message.from.id,
    "data-thread-id": threadOf(message),
    "data-own": String(mine),
    "data-edited": String(Boolean(message.edit_date)),
  });
  if (message.media_group_id) made.dataset.albumId = message.media_group_id;
  const label = `${nameOf(message.from)}, ${timeOf(message.date)}`;
  const bubble = element("article", { class: "bubble", "data-testid": "bubble", "aria-label": label });
  bubble.append(...[sender(message, mine), forwarded(message), quoted(message, on)].filter(Boolean));
  bubble.append(...[media(message, on), text(message, on), foot(message)].filter(Boolean));
  // A right click, or a long press on a phone.
  bubble.addEventListener("contextmenu", (event) => {
    if (event.target.closest("a, img") || String(getSelection())) return;
    event.preventDefault();
    on.more(message, made.querySelector(".menu-button"), event);
  });
  made.append(face(message.from), bubble, tools(message, on));
  if (message.reply_markup) made.append(keys(message, on));
  return made;
}

function sender(message, mine) {
  if (mine || openChat().type === "private") return null;
  const made = element("span", { class: "who" }, nameOf(message.from));
  if (!message.from.is_bot) made.style.setProperty("--name", `color-mix(in srgb, ${colourOf(message.from.id)} 78%, var(--ink))`);
  return made;
}

function forwarded(message) {
  const origin = message.forward_origin?.sender_user;
  return origin ? element("span", { class: "forwarded" }, `Forwarded from ${nameOf(origin)}`) : null;
}

function quoted(message, on) {
  const original = message.reply_to_message;
  // What stands in a topic answers the message that opened it, which nobody needs to see.
  if (!original || original.forum_topic_created) return null;
  const name = element("strong", {}, nameOf(original.from));
  const line = element("span", {}, message.quote?.text ?? summaryOf(original));
  const made = element("button", { type: "button", class: "quoted", "data-testid": "quoted", "aria-label": `In answer to ${nameOf(original.from)}: ${summaryOf(original)}` }, name, line);
  made.addEventListener("click", () => on.find(original.message_id));
  return made;
}

function media(message, on) {
  if (message.photo) return photo(message, on);
  if (message.sticker) {
    const image = element("img", { src: fileUrl(message.sticker.file_id), alt: `Sticker ${message.sticker.emoji ?? ""}` });
    return element("div", { class: "sticker" }, image);
  }
  return message.document ? paper(message.document) : null;
}

function photo(message, on) {
  const largest = message.photo.at(-1);
  const shown = message.photo.find((size) => Math.max(size.width, size.height) >= 800) ?? largest;
  const image = element("img", {
    src: fileUrl(shown.file_id),
    width: shown.width,
    height: shown.height,
    alt: message.caption ? "" : `Photo from ${nameOf(message.from)}`,
    decoding: "async",
  });
  // Its room is kept before it is loaded, so that nothing moves under the reader's eyes.
  const tallest = message.media_group_id ? 190 : matchMedia("(max-width: 760px)").matches ? 300 : 380;
  image.style.width = `${Math.round(Math.min(shown.width, tallest * shown.width / shown.height))}px`;
  const made = element("button", { type: "button", class: "print", "data-testid": "photo", "aria-label": `Photo from ${nameOf(message.from)}: enlarge` }, image);
  made.addEventListener("click", () => on.enlarge(fileUrl(largest.file_id)));
  return made;
}

function paper(document_) {
  const preview = document_.thumbnail
    ? element("img", { src: fileUrl(document_.thumbnail.file_id), alt: "" })
    : element("span", { class: "leaf", "aria-hidden": "true" }, "¶");
  const size = document_.file_size > 1048576
    ? `${(document_.file_size / 1048576).toFixed(1)} MB`
    : `${Math.max(1, Math.round(document_.file_size / 1024))} kB`;
  const label = element("span", {}, element("strong", {}, document_.file_name), element("small", {}, size));
  return element("a", { class: "paper", href: fileUrl(document_.file_id), download: document_.file_name, "data-testid": "document" }, preview, label);
}

function text(message, on) {
  const content = message.text ?? message.caption;
  if (content === undefined && noteOf(message)) return element("div", { class: "words note", "data-testid": "note" }, noteOf(message));
  if (!content) return null;
  const entities = message.entities ?? message.caption_entities;
  return element("div", { class: "words", "data-testid": "message-text", dir: "auto" }, words(content, entities, on));
}

function foot(message) {
  const time = element("time", { dateTime: new Date(message.date * 1000).toISOString() }, timeOf(message.date));
  const shown = (message.reactions ?? []).map((reaction) => element("span", {}, reaction.emoji));
  const reactions = shown.length ? element("span", { class: "reactions", "data-testid": "reactions" }, ...shown) : null;
  const edited = message.edit_date && !message.from.is_bot ? element("span", {}, "edited") : null;
  const place = message.media_group_id ? element("span", { class: "album-place", "data-testid": "album-place" }) : null;
  return element("div", { class: "foot" }, place, reactions, edited, time);
}

function keys(message, on) {
  const made = element("div", { class: "keys", role: "group", "aria-label": "Buttons of the message" });
  for (const line of message.reply_markup.inline_keyboard) {
    made.append(element("div", {}, ...line.map((button) => key(message, button, on))));
  }
  return made;
}

function key(message, button, on) {
  const mark = button.copy_text ? icon("copy") : button.url ? icon("away") : null;
  const made = element("button", { type: "button", class: `key ${button.style ?? ""}`, "data-testid": "inline-button" }, button.text, mark);
  if (button.callback_data) made.setAttribute("data-callback", button.callback_data);
  made.addEventListener("click", () => {
    if (button.copy_text) on.copy(button.copy_text.text);
    else if (button.url) window.open(button.url, "_blank", "noopener,noreferrer");
    else on.press(message, button, made);
  });
  return made;
}

function tools(message, on) {
  const reply = tool("reply", "Reply", "reply-action", () => on.reply(message));
  const more = tool("more", "More", "more-action", () => on.more(message, more));
  more.classList.add("menu-button");
  return element("div", { class: "tools" }, reply, more);
}

function icon(name) {
  const drawing = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  drawing.setAttribute("viewBox", "0 0 24 24");
  drawing.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[name]);
  if (name === "more") path.setAttribute("stroke-width", "3");
  drawing.append(path);
  return drawing;
}

function tool(name, label, testid, run) {
  const made = element("button", { type: "button", class: "quiet", "data-testid": testid, "aria-label": label, title: label }, icon(name));
  made.addEventListener("click", run);
  return made;
}
