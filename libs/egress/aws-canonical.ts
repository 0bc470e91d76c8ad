const ESCAPE = /%([0-9a-f]{2})/gi;
const RESERVED = /[^A-Za-z0-9\-._~]/g;

/**
 * A path as AWS signs it. S3 takes it as it stands and encodes each character once; the other services normalise it and
 * encode what was sent, escapes included.
 *
 * @param path as it is sent, one character for each byte
 */
export function canonicalPath(path: string, isS3: boolean): string {
  const segments = isS3 ? path.split('/').map(decoded) : normalised(path);
  return segments.map(encoded).join('/');
}

/** @param query as it is sent, without the question mark */
export function canonicalQuery(query: string): string {
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', ...rest] = pair.split('=');
      return [name, rest.join('=')].map((text) => encoded(decoded(text.replaceAll('+', '%20'))));
    })
    .sort((one, other) => compare(one[0]!, other[0]!) || compare(one[1]!, other[1]!))
    .map((pair) => pair.join('='))
    .join('&');
}

function normalised(path: string): string[] {
  const kept: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') kept.pop();
    else if (segment !== '.' && segment !== '') kept.push(segment);
  }
  const isFolder = kept.length === 0 || path.endsWith('/');
  return ['', ...kept, ...(isFolder ? [''] : [])];
}

function decoded(text: string): string {
  return text.replace(ESCAPE, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

function encoded(text: string): string {
  return text.replace(
    RESERVED,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

/** By code, not by language. */
function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
