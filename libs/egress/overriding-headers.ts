import type { RawHeaders } from './forwarded-headers.js';

const OVERRIDING = /method|override|original|rewrite|forwarded|accel|destination|[-_]ur[il]$|[-_]path$/;

/** @returns the name of a header that servers and proxies take for the real method or path, or null */
export function overridingHeader(rawHeaders: RawHeaders): string | null {
  return rawHeaders.find((name, index) => index % 2 === 0 && OVERRIDING.test(name.toLowerCase())) ?? null;
}
