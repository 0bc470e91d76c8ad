/** Letters that are written from right to left, and what is unseen but steers direction. */
const TURNS =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\u200e\u200f\u061c\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** Overrides and isolates: they reach beyond the text that holds them. */
const REACHES_OUT = /[\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A name for use within a sentence. One written from right to left is isolated (FSI, PDI), so that it does not turn
 * around the words beside it.
 */
export function inlineText(name: string): string {
  const text = name.replace(REACHES_OUT, '').replace(/\s+/g, ' ');
  return TURNS.test(text) ? `\u2068${text}\u2069` : text;
}

/** A name for a sentence that people approve: in quotes where its punctuation could be taken for that of the sentence. */
export function nameText(name: string): string {
  const text = inlineText(name);
  return /[^\P{P}'’_&#/@-]/u.test(name) ? `“${text.replace(/[“”]/g, '"')}”` : text;
}
