/** PostgreSQL stores neither U+0000 nor half a surrogate pair in text or jsonb. Each is replaced by U+FFFD, which can be seen. */
const NOT_STORABLE = /[\u0000\p{Surrogate}]/gu;

export function storableText(text: string): string {
  return text.replace(NOT_STORABLE, '\ufffd');
}

/** The same for every text and key inside a JSON value whose depth was checked. */
export function storableJson(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storableJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [storableText(key), storableJson(item)]),
  );
}

/** Cuts a text between two characters, to at most `maxBytes` of UTF-8. */
export function cutToBytes(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return text;
  const bytes = Buffer.from(text);
  let end = maxBytes;
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}
