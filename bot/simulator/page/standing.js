// What the open chat lets the bot do: blocked, silent, an admin; its topics; its way to a supergroup.

import { act } from "./api.js";
import { toast } from "./dialogs.js";
import { actor, openChat } from "./store.js";

const byId = (id) => document.getElementById(id);

async function run(name, fields) {
  try {
    await act(name, fields);
    return true;
  } catch (error) {
    toast(error.message);
    draw();
    return false;
  }
}

function draw() {
  const chat = openChat();
  if (!chat) return;
  const isPrivate = chat.type === "private";
  byId("blocked-box").hidden = !isPrivate;
  byId("blocked").checked = chat.blocked;
  byId("silent-box").hidden = isPrivate;
  byId("silent").checked = chat.silent;
  byId("admin-box").hidden = isPrivate;
  byId("admin").checked = chat.bot_standing === "administrator";
  byId("away-box").hidden = isPrivate;
  byId("away").checked = chat.bot_standing === "kicked" || chat.bot_standing === "left";
  byId("topic-form").hidden = chat.type !== "supergroup";
  byId("migrate").hidden = chat.type !== "group" || Boolean(chat.migrated_to);
}

const change = (fields) => run(`chats/${openChat().id}`, fields);
byId("blocked").addEventListener("change", () => change({ blocked: byId("blocked").checked }));
byId("silent").addEventListener("change", () => change({ silent: byId("silent").checked }));
byId("admin").addEventListener("change", () => change({ bot_standing: byId("admin").checked ? "administrator" : "member" }));
byId("away").addEventListener("change", () => change({ bot_standing: byId("away").checked ? "kicked" : "member" }));
byId("migrate").addEventListener("click", () => run("migrations", { chat_id: openChat().id }));
byId("topic-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = byId("topic-name");
  if (await run("topics", { person_id: actor(), chat_id: openChat().id, name: field.value.trim() })) field.value = "";
});
document.addEventListener("chat", draw);
