import bowser from 'bowser';

const UNKNOWN = 'Unknown device';
/** What a program calls itself before its version: `curl/8.5.0`. */
const PRODUCT = /^[A-Za-z][\w.-]{0,39}(?=\/|$)/;

/** A `User-Agent` in plain words, such as `Safari on iPhone`. It is what the client says of itself, true or not. */
export function deviceName(userAgent: string | null): string {
  if (!userAgent) return UNKNOWN;
  const { browser, os, platform } = bowser.parse(userAgent);
  const system = platform.model || os.name;
  const program = browser.name || PRODUCT.exec(userAgent)?.[0];
  if (program && system) return `${program} on ${system}`;
  return program ?? system ?? UNKNOWN;
}
