// A text and its entities as elements. Offsets count UTF-16 units, as JavaScript's own strings do.

const TAGS = { bold: "strong", italic: "em", underline: "u", strikethrough: "s", blockquote: "blockquote", expandable_blockquote: "blockquote" };

export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "class") made.className = value;
    else if (name.startsWith("data-") || name.startsWith("aria-") || name === "role") made.setAttribute(name, value);
    else made[name] = value;
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

// `on.command(text)` runs a tapped command, `on.copy(text)` copies a block.
export function words(text, entities, on) {
  const ordered = [...(entities ?? [])].sort((a, b) => a.offset - b.offset || b.length - a.length);
  const fragment = document.createDocumentFragment();
  fill(fragment, text, 0, text.length, ordered, on);
  return fragment;
}

function fill(parent, text, start, end, entities, on) {
  let at = start;
  let rest = entities;
  while (rest.length > 0) {
    const [entity, ...others] = rest;
    const from = Math.max(entity.offset, at);
    const to = Math.min(entity.offset + entity.length, end);
    if (to <= from) {
      rest = others;
      continue;
    }
    if (from > at) parent.append(text.slice(at, from));
    // What begins inside goes inside; what reaches beyond is taken up again behind.
    const inside = others.filter((other) => other.offset < to);
    const shell = shellOf(entity, text.slice(from, to), on);
    fill(shell.inner, text, from, to, inside, on);
    parent.append(shell.outer);
    at = to;
    rest = others.filter((other) => other.offset + other.length > to);
  }
  if (at < end) parent.append(text.slice(at, end));
}

function shellOf(entity, content, on) {
  const plain = (made) => ({ outer: made, inner: made });
  switch (entity.type) {
    case "code":
      return plain(element("code"));
    case "pre":
      return block(entity, content, on);
    case "spoiler": {
      const made = element("button", { type: "button", class: "spoiler" });
      made.setAttribute("aria-label", "Hidden text: show");
      made.addEventListener("click", () => { made.classList.add("open"); made.removeAttribute("aria-label"); });
      return plain(made);
    }
    case "text_link":
      return plain(link(entity.url));
    case "url":
      return plain(link(/^[a-z]+:\/\//i.test(content) ? content : `http://${content}`));
    case "email":
      return plain(link(`mailto:${content}`));
    case "bot_command": {
      const made = element("button", { type: "button", class: "command" });
      made.addEventListener("click", () => on.command(content));
      return plain(made);
    }
    default:
      return plain(element(TAGS[entity.type] ?? "span", { class: entity.type }));
  }
}

function block(entity, content, on) {
  const inner = element("pre", { "data-testid": "pre" });
  const copy = element("button", { type: "button", class: "copy", "data-testid": "copy-block" }, "Copy");
  copy.addEventListener("click", () => on.copy(content));
  const language = entity.language ? element("span", { class: "lang" }, entity.language) : null;
  return { outer: element("span", { class: "block" }, language, inner, copy), inner };
}

function link(address) {
  const made = element("a", { target: "_blank", rel: "noopener noreferrer" });
  if (/^(https?|mailto|tg|ftp):/i.test(address)) made.href = address;
  return made;
}
