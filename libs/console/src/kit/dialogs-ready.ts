/** Dialogs are loaded after the page. What is asked before they are there waits for them; then this is null. */
let waiting: (() => void)[] | null = [];

/** Opens a dialog, as soon as that is possible. */
export function onceReady(open: () => void): void {
  if (waiting) waiting.push(open);
  else open();
}

/** The dialogs are there. */
export function openWhatWaits(): void {
  waiting?.forEach((open) => open());
  waiting = null;
}
