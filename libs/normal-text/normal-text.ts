/**
 * Marks in a row, as text of people never has them. Putting n of them into their order takes n² steps. The two halfwidth sound
 * marks become such by NFKC. See the Stream-Safe Text Format of UAX #15, section 13.
 */
const MARK = '[\\p{M}\\uff9e\\uff9f]';
const MANY = new RegExp(`${MARK}{31}`, 'u');
const BEYOND = new RegExp(`(${MARK}{30})${MARK}+`, 'gu');

/** Whether more than 30 marks stand in a row, so that a text is refused rather than normalized. Takes time linear to its length. */
export function hasManyMarks(text: string): boolean {
  return MANY.test(text);
}

/** The text in a normal form. Of more than 30 marks in a row, the rest is left out. Takes time linear to its length. */
export function normalText(text: string, form: 'NFC' | 'NFKC'): string {
  return text.replace(BEYOND, '$1').normalize(form);
}
