import { hasManyMarks } from '../normal-text/index.js';

const MOST_LAYERS = 4;
/** Nobody needs them in such a path, and servers disagree about them: parameters, and what ends a path early. */
const AMBIGUOUS = /[;?#\p{Cc}]/u;

/**
 * Everything that a server may take a path for: as it stands, and decoded once or several times. Slashes in a row count
 * as one.
 *
 * @returns null for a path that leads elsewhere in one of them, or that only attackers write
 */
export function pathReadings(text: string): string[] | null {
  const found: string[] = [];
  let path = text;
  for (let layer = 0; layer < MOST_LAYERS; layer++) {
    if (hasManyMarks(path)) return null;
    const slashed = path.normalize('NFKC').replace(/\\/g, '/');
    // A URL parser takes what follows two slashes for a host, and only the rest for the path.
    if (slashed.startsWith('//')) return null;
    const plain = slashed.replace(/\/+/g, '/');
    const leadsElsewhere = plain.split('/').some((segment) => /^\.\.?$/.test(segment.trim()));
    if (leadsElsewhere || AMBIGUOUS.test(plain)) return null;
    found.push(plain);
    const decoded = decode(path);
    if (decoded === path) return found;
    if (decoded === null) return null;
    path = decoded;
  }
  return null;
}

function decode(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}
