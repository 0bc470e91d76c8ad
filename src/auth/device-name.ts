import bowser from 'bowser';

const UNKNOWN = 'Unknown device';
/** A program's name before its version: `curl` in `curl/8.5.0`. */
const PRODUCT = /^[A-Za-z][\w.-]{0,39}(?=\/|$)/;

/** A `User-Agent` in plain words, such as `Safari on iPhone`. Clients can send any text, so it proves nothing. */
export function deviceName(userAgent: string | null): string {
  if (!userAgent) return UNKNOWN;
  const { browser, os, platform } = bowser.parse(userAgent);
  const system = platform.model || os.name;
  const program = browser.name || PRODUCT.exec(userAgent)?.[0];
  if (program && system) return `${program} on ${system}`;
  return program ?? system ?? UNKNOWN;
}
