// The control interface of this very computer: reading, acting, watching.

async function answerOf(response) {
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error || "The simulator refused that.");
  return answer;
}

export async function read(path) {
  return answerOf(await fetch(`/control/${path}`));
}

export async function act(name, fields) {
  const isForm = fields instanceof FormData;
  return answerOf(await fetch(`/control/${name}`, {
    method: "POST",
    headers: isForm ? {} : { "Content-Type": "application/json" },
    body: isForm ? fields : JSON.stringify(fields),
  }));
}

export function fileUrl(fileId) {
  return `/control/files/${encodeURIComponent(fileId)}`;
}

// For the parts that the page can do without.
const tell = (detail) => document.dispatchEvent(new CustomEvent("simulator", { detail }));

// Events come in their order; after every break of the line everything is read anew.
export function watch({ onOpen, onEvent, onBreak }) {
  const source = new EventSource("/control/events");
  source.onopen = () => { tell({ type: "opened" }); onOpen(); };
  source.onmessage = (event) => { const detail = JSON.parse(event.data); tell(detail); onEvent(detail); };
  source.onerror = () => {
    onBreak();
    if (source.readyState === EventSource.CLOSED) {
      setTimeout(() => watch({ onOpen, onEvent, onBreak }), 1000);
    }
  };
}
