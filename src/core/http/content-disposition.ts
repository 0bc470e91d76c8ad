/** Characters that RFC 5987 allows in a value as they are, besides letters and digits, and that encodeURIComponent escapes or keeps otherwise. */
const KEPT_BY_URI_ONLY = /['()*]/g;

/**
 * `Content-Disposition` that makes a browser save the bytes under `name` rather than show them: an ASCII form for old
 * clients and the name itself, encoded by RFC 5987.
 */
export function attachment(name: string): string {
  const wellFormed = name.toWellFormed();
  const ascii = wellFormed.replace(/[^\x20-\x7e]|["\\%/]/gu, '_');
  const encoded = encodeURIComponent(wellFormed).replace(
    KEPT_BY_URI_ONLY,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
