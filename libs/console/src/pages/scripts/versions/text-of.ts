/** The most that the service gives of one file. */
export const MOST_BYTES = 1024 * 1024;

/** The text that the bytes are, or null where they are something else. */
export function textOf(bytes: ArrayBuffer): string | null {
  if (new Uint8Array(bytes).includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
