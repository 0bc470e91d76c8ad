/** What moves a terminal's cursor, changes its title, or hides and reorders words. Line ends and tabs are not among it. */
const UNSAFE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/** Text of others, fit for a terminal. */
export function plainText(text: string): string {
  return text.replace(UNSAFE, '\ufffd');
}

/** The same for JSON, which has a way to write such characters. */
export function escapedJson(json: string): string {
  return json.replace(UNSAFE, (found) =>
    Array.from({ length: found.length }, (_, at) => escaped(found.charCodeAt(at))).join(''),
  );
}

const escaped = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;
