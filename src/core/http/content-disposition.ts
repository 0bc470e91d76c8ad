import { encodeExtended } from 'content-disposition';

/**
 * `Content-Disposition` that makes a browser save the bytes under `name` rather than show them: an ASCII form for old
 * clients and the name itself, encoded by RFC 8187.
 */
export function attachment(name: string): string {
  const wellFormed = name.toWellFormed();
  const ascii = wellFormed.replace(/[^\x20-\x7e]|["\\%/]/gu, '_');
  return `attachment; filename="${ascii}"; filename*=${encodeExtended(wellFormed)}`;
}
