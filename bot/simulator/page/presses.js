// Pressed buttons: each is busy until the bot answers its query, and then says what it said.

import { act } from "./api.js";
import { alertBox, toast } from "./dialogs.js";
import { actor, store } from "./store.js";

const PATIENCE_MS = 8000;
// Buttons by the number of their query, and answers that were here before that number was.
const waiting = new Map();
const early = new Map();
let numUnderWay = 0;

export async function press(message, button, key) {
  key.setAttribute("aria-busy", "true");
  numUnderWay += 1;
  try {
    const fields = { person_id: actor(), chat_id: store.openId, message_id: message.message_id, data: button.callback_data };
    const { query_id: queryId } = await act("presses", fields);
    waiting.set(queryId, key);
    if (early.has(queryId)) showAnswer(early.get(queryId));
    setTimeout(() => settle(queryId), PATIENCE_MS);
  } catch (error) {
    key.removeAttribute("aria-busy");
    toast(error.message);
  } finally {
    numUnderWay -= 1;
    // The others belong to presses that were not made here.
    if (numUnderWay === 0) early.clear();
  }
}

export function showAnswer(event) {
  if (!waiting.has(event.query_id)) {
    if (numUnderWay > 0) early.set(event.query_id, event);
    return;
  }
  settle(event.query_id);
  if (!event.text) return;
  if (event.show_alert) alertBox(event.text);
  else toast(event.text);
}

export function numEarly() {
  return early.size;
}

function settle(queryId) {
  waiting.get(queryId)?.removeAttribute("aria-busy");
  waiting.delete(queryId);
}
