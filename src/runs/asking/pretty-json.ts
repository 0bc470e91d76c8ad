const STRING_OR_SPACE = /("(?:[^"\\]|\\.)*")|\s+/gs;
const STRING = /"(?:[^"\\]|\\.)*"/gs;
/** Each level moves all that is in it to the right. */
const MOST_LEVELS = 32;
const MOST_CHARACTERS = 262_144;

/**
 * JSON with each field on a line of its own; any other text as it is. So is JSON that says more than a reader of it gets, such as a
 * name that is there twice, and what would become much longer.
 */
export function prettyJson(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    const compact = text.replace(STRING_OR_SPACE, (_, string: string | undefined) => string ?? '');
    if (levelsOf(compact) > MOST_LEVELS || JSON.stringify(value) !== compact) return text;
    const pretty = JSON.stringify(value, null, 2);
    return pretty.length > MOST_CHARACTERS ? text : pretty;
  } catch {
    return text;
  }
}

function levelsOf(json: string): number {
  let [levels, most] = [0, 0];
  for (const [bracket] of json.replace(STRING, '').matchAll(/[[\]{}]/g)) {
    levels += bracket === '[' || bracket === '{' ? 1 : -1;
    most = Math.max(most, levels);
  }
  return most;
}
