/** More than this is not shown as text. */
export const MOST_BYTES = 1024 * 1024;

/** The text that the bytes are, or null where they are something else. */
export function textOf(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
