/** What a character (a code point) counts for where a text may only be so long; one at least. */
export type TextUnit = (character: string) => number;
export const CHARACTERS: TextUnit = () => 1;
export const UTF16_UNITS: TextUnit = (character) => character.length;
export const BYTES: TextUnit = (character) => Buffer.byteLength(character);

/**
 * The beginning of a text, of at most so many characters, or of another unit. No character is cut in two.
 *
 * @param end stands at the end of a text that was cut, and counts; none by default
 */
export function cutText(text: string, most: number, end = '', unit = CHARACTERS): string {
  // A character has at most two parts, so no more of a long text is looked at.
  const characters = [...text.slice(0, 2 * Math.max(0, most))];
  if (text.length <= 2 * most && countFitting(characters, most, unit) === characters.length) return text;
  const left = most - [...end].reduce((sum, character) => sum + unit(character), 0);
  return characters.slice(0, countFitting(characters, left, unit)).join('') + end;
}

/** The end of a text, as `cutText` has its beginning. */
export function endOfText(text: string, most: number, unit = CHARACTERS): string {
  const characters = most > 0 ? [...text.slice(-2 * most)].reverse() : [];
  return characters
    .slice(0, countFitting(characters, most, unit))
    .reverse()
    .join('');
}

function countFitting(characters: readonly string[], most: number, unit: TextUnit): number {
  let size = 0;
  const over = characters.findIndex((character) => (size += unit(character)) > most);
  return over < 0 ? characters.length : over;
}
