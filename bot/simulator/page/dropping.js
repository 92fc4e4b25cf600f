// Pictures that are pasted, or dragged over the room and let go.

export function startDropping(field, attach) {
  const room = document.getElementById("room");
  const veil = document.getElementById("drop");
  const carries = (event) => event.dataTransfer?.types.includes("Files");
  field.addEventListener("paste", (event) => {
    const pasted = [...event.clipboardData.files];
    if (pasted.length === 0) return;
    event.preventDefault();
    attach(pasted);
  });
  room.addEventListener("dragover", (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    veil.hidden = false;
  });
  room.addEventListener("dragleave", (event) => {
    if (!room.contains(event.relatedTarget)) veil.hidden = true;
  });
  room.addEventListener("drop", (event) => {
    veil.hidden = true;
    if (!carries(event)) return;
    event.preventDefault();
    attach([...event.dataTransfer.files]);
  });
}
