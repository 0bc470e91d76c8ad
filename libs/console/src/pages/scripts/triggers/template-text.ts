/** Something that an input of a trigger or hook is filled in from. */
const FROM_EVENT = /\{\{\s*(?:event|request)\b/;

/** How an input is shown in a field of text: texts as they are, everything else as JSON. */
export function textOfInput(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * What was typed for an input: text where the input takes text or takes something from the event, else JSON.
 * Undefined where nothing was typed: then the input is left out.
 */
export function inputOfText(text: string, type: unknown): unknown {
  if (text === '') return undefined;
  if (FROM_EVENT.test(text) && !/^\s*[[{"]\s*["[{\]}]/.test(text)) return text;
  return type === 'string' ? text : valueOfText(text);
}

/** A value to compare with: JSON where it is JSON, else the text itself. `"5"` is the text, `5` the number. */
export function valueOfText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** The text that `valueOfText` reads as this value. */
export function textOfValue(value: unknown): string {
  return typeof value === 'string' && valueOfText(value) === value ? value : JSON.stringify(value);
}

/** The dotted paths to every value of an event's data, as filters and inputs name them. */
export function pathsOf(value: unknown, prefix = ''): string[] {
  if (typeof value !== 'object' || value === null) return prefix === '' ? [] : [prefix];
  const entries = Object.entries(value);
  const inner = entries.flatMap(([key, each]) => pathsOf(each, prefix === '' ? key : `${prefix}.${key}`));
  return entries.length === 0 && prefix !== '' ? [prefix] : inner;
}
