/** What nobody sees, but for the ends of lines: it could turn the text around or make two words look alike. */
const UNSEEN = /[^\P{C}\t\r\n]|[\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Writes out what nobody sees. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (sign) => `\\u{${sign.codePointAt(0)!.toString(16)}}`);
}
