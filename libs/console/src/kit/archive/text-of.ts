/** What is longer is neither shown nor edited as text. */
export const MAX_TEXT_BYTES = 1024 * 1024;

/** The text that the bytes are, to the last of them; null where they are something else or too many. */
export function textOf(bytes: Uint8Array): string | null {
  if (bytes.length > MAX_TEXT_BYTES || bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
