/** What somebody types there is text, or moves within it. */
const FIELDS =
  'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable=true], [role=textbox], [role=listbox], [role=combobox], [role=tree]';
/** They have keys of their own. */
const ABOVE = '[aria-modal=true], [role=menu]';
/** Of the lists of a page. */
const ROWS = 'main tr[data-index]';

/** Whether a key is meant for the page: none that a field, a dialog, the browser or a screen reader's modifier takes. */
export function isForPage(event: KeyboardEvent): boolean {
  const { target, ctrlKey, metaKey, altKey, defaultPrevented, isComposing } = event;
  if (defaultPrevented || isComposing || ctrlKey || metaKey || altKey) return false;
  if (target instanceof Element && target.closest(FIELDS)) return false;
  return document.querySelector(ABOVE) === null;
}

/** To the next row of the list, or the one before: its link, which Enter follows. */
export function stepRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>(ROWS)];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const next = at < 0 ? rows[0] : rows[at + step];
  const stop = next?.querySelector<HTMLElement>('td a[href], td button');
  stop?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

/** Ticks the row that has the focus, or unticks it. */
export function tickRow(): void {
  document.activeElement?.closest(ROWS)?.querySelector<HTMLElement>('input[type=checkbox]')?.click();
}

/** @returns false: the page has no field to search it by */
export function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type=search]');
  field?.focus();
  field?.select();
  return field !== null;
}

/** To the button that has this key; Enter presses it, so that a slip of the hand starts nothing. */
export function focusAct(key: string): void {
  document.querySelector<HTMLElement>(`[data-key="${key}"]`)?.focus();
}
