// Before the first paint, so that a dark page does not begin white. As a file: the policy allows no inline script.
(function () {
  let chosen = null;
  try {
    chosen = localStorage.getItem('gatehouse-color-scheme');
  } catch {
    // Storage is blocked: the system's scheme it is.
  }
  const dark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
