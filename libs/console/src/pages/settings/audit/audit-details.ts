interface Change {
  from: unknown;
  to: unknown;
}

/** What is said of an entry besides, such as `name CI` and `enabled yes → no`: a word or two, and the value. */
export function detailsOf(details: Record<string, unknown>): { name: string; value: string }[] {
  return Object.entries(details)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => ({ name: inWords(key), value: textOf(value) }));
}

/** `previousName` is `previous name`. */
function inWords(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function textOf(value: unknown): string {
  if (isChange(value)) return `${textOf(value.from)} → ${textOf(value.to)}`;
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(textOf).join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value === null || value === '') return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isChange(value: unknown): value is Change {
  return typeof value === 'object' && value !== null && 'from' in value && 'to' in value;
}
