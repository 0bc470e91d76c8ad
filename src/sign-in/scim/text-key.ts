/** Under which a text is found where upper and lower case are the same. */
export function textKey(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
