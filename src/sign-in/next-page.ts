const LONGEST = 2000;

/** Whether a text is the path of a page here, however a browser reads it: `//`, `/\` and tabs lead elsewhere. */
export function isOwnPage(next: string): boolean {
  if (next.length > LONGEST || !/^\/(?![/\\])[\x21-\x7e]*$/.test(next) || next.includes('\\')) return false;
  const origin = 'https://gatehouse.invalid';
  return URL.canParse(next, origin) && new URL(next, origin).origin === origin;
}
