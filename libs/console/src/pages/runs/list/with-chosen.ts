interface Choice {
  value: string;
  label: string;
}

/** What the address names is shown as chosen, though the list may not know it (yet). */
export function withChosen(choices: Choice[], chosen: string | null | undefined): Choice[] {
  if (chosen == null || choices.some(({ value }) => value === chosen)) return choices;
  return [...choices, { value: chosen, label: chosen }];
}
