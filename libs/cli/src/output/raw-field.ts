/**
 * The text of a field of a JSON object as it was sent. Parsed and written again, a number that JavaScript cannot hold would be
 * another.
 *
 * @param json a valid JSON object
 * @returns null where there is no such field
 */
export function rawField(json: string, name: string): string | null {
  let depth = 0;
  let start: number | null = null;
  // Strings, then what opens, closes and parts values; all else stands between.
  for (const { 0: token, index } of json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g)) {
    if (token === '}' || token === ']') depth -= 1;
    const isOver = (depth === 1 && token === ',') || depth === 0;
    if (start !== null && isOver) return json.slice(start, index).trim();
    if (token === '{' || token === '[') depth += 1;
    else if (depth === 1 && start === null && token.startsWith('"') && JSON.parse(token) === name) {
      const colon = /^\s*:/.exec(json.slice(index + token.length, index + token.length + 16));
      if (colon) start = index + token.length + colon[0].length;
    }
  }
  return null;
}
