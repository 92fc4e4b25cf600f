// The panel where one makes trouble: faults to plant, flood limits, and the simulator's clock.

import { act, read } from "./api.js";
import { toast } from "./dialogs.js";
import { store, titleOf } from "./store.js";
import { element } from "./words.js";

const byId = (id) => document.getElementById(id);
const LABELS = {
  flood: "Too many requests (429)",
  error: "Error of the server",
  html: "Web page instead of an answer (502)",
  delay_before: "Works late",
  delay_after: "Answers late, works at once",
  reset_before: "Line breaks, nothing done",
  reset_after: "Line breaks, all done",
  truncated: "Half an answer",
  slow_download: "File comes slowly",
  expired_download: "Link to a file has expired",
  duplicate_update: "Update comes twice",
  poison_update: "Update that no library reads",
  second_poller: "Second bot is polling (409)",
  webhook_set: "Webhook is set (409)",
  revoked_token: "Token is revoked (401)",
};
// Kinds that ask for more than how often: the field that belongs to each.
const EXTRAS = {
  flood: "retry_after_s",
  error: "status",
  delay_before: "delay_s",
  delay_after: "delay_s",
  slow_download: "delay_s",
};
const GENERAL = ["flood", "error", "html", "delay_before", "delay_after", "reset_before", "reset_after", "truncated"];
const IN_CHATS = [...GENERAL, "duplicate_update"];

const panel = byId("faults");
const toggle = byId("faults-open");

function open(on) {
  panel.hidden = !on;
  toggle.setAttribute("aria-expanded", String(on));
  if (on) {
    drawChats();
    byId("fault-kind").focus();
  } else {
    toggle.focus();
  }
}

function drawChats() {
  const chosen = byId("fault-chat").value;
  const chats = [...store.chats.values()].map((chat) => element("option", { value: String(chat.id) }, titleOf(chat)));
  byId("fault-chat").replaceChildren(element("option", { value: "" }, "Every chat"), ...chats);
  byId("fault-chat").value = store.chats.has(Number(chosen)) ? chosen : "";
}

// Only what the chosen kind knows is asked.
function fit() {
  const kind = byId("fault-kind").value;
  byId("fault-method-box").hidden = !GENERAL.includes(kind);
  byId("fault-chat-box").hidden = !IN_CHATS.includes(kind);
  for (const name of ["retry_after_s", "delay_s", "status"]) byId(`fault-${name}-box`).hidden = EXTRAS[kind] !== name;
}

async function run(name, fields = {}) {
  try {
    await act(name, fields);
    return true;
  } catch (error) {
    toast(error.message);
    return false;
  }
}

async function plant() {
  const kind = byId("fault-kind").value;
  const fields = { kind, count: Number(byId("fault-count").value) };
  if (GENERAL.includes(kind)) fields.method = byId("fault-method").value;
  if (IN_CHATS.includes(kind) && byId("fault-chat").value) fields.chat_id = Number(byId("fault-chat").value);
  const extra = EXTRAS[kind];
  if (extra) fields[extra] = Number(byId(`fault-${extra}`).value);
  if (await run("faults", fields) && kind === "poison_update") toast("It lies in the bot's queue");
  await refresh();
}

function whereOf(fault) {
  const method = GENERAL.includes(fault.kind) ? [...byId("fault-method").options].find((one) => one.value === fault.method)?.text ?? fault.method : null;
  const chat = store.chats.get(fault.chat_id);
  const times = fault.count === 0 ? "until taken back" : fault.count === 1 ? "once" : `${fault.count} times`;
  const extra = { retry_after_s: `${fault.retry_after_s} s`, delay_s: `${fault.delay_s} s`, status: String(fault.status) }[EXTRAS[fault.kind]];
  return [method, chat ? titleOf(chat) : null, extra, times].filter(Boolean).join(" · ");
}

function item(fault) {
  const text = element("span", {}, element("strong", {}, LABELS[fault.kind]), element("small", {}, whereOf(fault)));
  const away = element("button", { type: "button", class: "quiet", "data-testid": "fault-remove", "aria-label": `Take back: ${LABELS[fault.kind]}` });
  away.innerHTML = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6 6l12 12M18 6L6 18"/></svg>';
  away.addEventListener("click", () => run(`faults/${fault.number}`));
  return element("li", { "data-testid": "fault" }, text, away);
}

async function refresh() {
  const { faults, floods, now } = await read("faults");
  byId("fault-list").replaceChildren(...faults.map(item));
  byId("fault-none").hidden = faults.length > 0;
  byId("fault-clear").hidden = faults.length === 0;
  byId("floods").checked = floods;
  byId("clock-now").textContent = new Date(now * 1000).toLocaleString([], { weekday: "short", hour: "2-digit", minute: "2-digit", second: "2-digit" });
  const trouble = faults.length + (floods ? 1 : 0);
  byId("faults-badge").textContent = String(trouble);
  byId("faults-badge").hidden = trouble === 0;
  toggle.setAttribute("aria-label", trouble ? `Faults: ${trouble} at work` : "Faults");
}

for (const option of byId("fault-kind").options) option.text = LABELS[option.value];
toggle.addEventListener("click", () => open(panel.hidden));
byId("faults-close").addEventListener("click", () => open(false));
panel.addEventListener("keydown", (event) => { if (event.key === "Escape") open(false); });
byId("fault-kind").addEventListener("change", fit);
byId("fault-form").addEventListener("submit", (event) => { event.preventDefault(); plant(); });
byId("fault-clear").addEventListener("click", () => run("faults/clear"));
byId("floods").addEventListener("change", () => run("floods", { on: byId("floods").checked }));
for (const button of document.querySelectorAll("[data-advance]")) button.addEventListener("click", () => run("clock", { advance_s: Number(button.dataset.advance) }));
document.addEventListener("simulator", (event) => {
  if (event.detail.type === "faults" || event.detail.type === "opened") refresh().catch(() => {});
  if (event.detail.type === "state" && !panel.hidden) drawChats();
});
fit();
