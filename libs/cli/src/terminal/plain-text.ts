/**
 * Text of others, fit for a terminal: without what would move its cursor, change its title or hide words. Line ends and
 * tabs stay.
 */
export function plainText(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
}
