/**
 * JSON for reading: what fits into a line of `width` characters stays on one.
 *
 * @param before how many characters the line begins with already, besides its indent
 */
export function jsonText(value: unknown, width: number, indent = '', before = 0): string {
  const flat = flatText(value);
  if (typeof value !== 'object' || value === null) return flat;
  if (indent.length + before + flat.length <= width) return flat;
  const inner = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((item) => inner + jsonText(item, width, inner))
    : Object.entries(value).map(([key, item]) => {
        const name = `${JSON.stringify(key)}: `;
        return inner + name + jsonText(item, width, inner, name.length);
      });
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}

function flatText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(flatText).join(', ')}]`;
  const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${flatText(item)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}
