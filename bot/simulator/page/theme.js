// Light, dark, or as the system says; remembered in this browser only.

const dark = matchMedia("(prefers-color-scheme: dark)");
const button = document.getElementById("theme");
const ICONS = {
  dark: '<svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="4.2"/><path d="M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6L7 7M17 17l1.4 1.4M5.6 18.4L7 17M17 7l1.4-1.4"/></svg>',
  light: '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M20 14.5A8.3 8.3 0 019.5 4 8.3 8.3 0 1020 14.5z"/></svg>',
};

function chosen() {
  return localStorage.getItem("theme") ?? (dark.matches ? "dark" : "light");
}

function paint() {
  const theme = chosen();
  document.documentElement.dataset.theme = theme;
  button.innerHTML = ICONS[theme];
  button.setAttribute("aria-label", theme === "dark" ? "Use light colours" : "Use dark colours");
}

button.addEventListener("click", () => {
  localStorage.setItem("theme", chosen() === "dark" ? "light" : "dark");
  paint();
});
dark.addEventListener("change", paint);
paint();
