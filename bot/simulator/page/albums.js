// The items of an album as one set: numbered, close together, small enough to be seen at once.

const list = document.getElementById("timeline");

function arrange() {
  const sets = new Map();
  for (const row of list.querySelectorAll(".row[data-album-id]")) {
    const id = row.dataset.albumId;
    sets.set(id, [...(sets.get(id) ?? []), row]);
  }
  for (const rows of sets.values()) {
    rows.forEach((row, place) => {
      // A late item may stand apart from its set; it is still known by its number.
      row.classList.toggle("joined", rows[place - 1] !== undefined && row.previousElementSibling === rows[place - 1]);
      const mark = row.querySelector(".album-place");
      if (mark) mark.textContent = `${place + 1} of ${rows.length}`;
    });
  }
}

new MutationObserver(arrange).observe(list, { childList: true });
arrange();
