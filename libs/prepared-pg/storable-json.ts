/** An escape of JSON. PostgreSQL refuses U+0000 and half of a surrogate pair, which is what the group has. */
const ESCAPE = /\\(?:ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|(u0000|ud[89a-f][\da-f]{2})|[^])/gi;
const JSON_PARAMETER = /\$(\d+)::jsonb?\b/g;

/** JSON that PostgreSQL can store: what it refuses is U+FFFD, which can be seen. */
export function storableJson(json: string): string {
  if (!json.includes('\\u')) return json;
  return json.replace(ESCAPE, (escape, refused?: string) => (refused === undefined ? escape : '\ufffd'));
}

/** The values of a statement, those storable that it casts to `json` or `jsonb`. */
export function storableValues<T>(text: string, values: readonly T[]): (T | string)[] {
  const isJson = (value: T): value is T & string => typeof value === 'string' && value.includes('\\u');
  if (!values.some(isJson)) return [...values];
  const cast = new Set([...text.matchAll(JSON_PARAMETER)].map(([, place]) => Number(place) - 1));
  return values.map((value, place) => (cast.has(place) && isJson(value) ? storableJson(value) : value));
}
