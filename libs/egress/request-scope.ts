import { framingOf, type RawHeaders } from './forwarded-headers.js';

/** Which requests to a host get a secret; others go without it. */
export interface RequestScope {
  methods: readonly string[];
  folders: readonly Folder[];
}

export interface Folder {
  /** As in a URL: `/npm/`, percent-encoded or not. */
  path: string;
  /** Only files whose name ends so, such as `.whl`. Default: all. */
  endings?: readonly string[];
}

/** What decides whether a request is in a scope. */
export interface ScopedRequest {
  method: string;
  target: string;
  rawHeaders: RawHeaders;
}

const MOST_LAYERS = 4;
/** Servers and proxies take them for the real method or path. */
const OVERRIDING = /method|override|original|rewrite|forwarded|accel|^upgrade$/;
/** Nobody needs them in such a path, and servers disagree about them: parameters, and what ends a path early. */
const AMBIGUOUS = /[;?#\p{Cc}]/u;

/** @returns how long the path of the folder is that the request is for, or -1 if it is for none */
export function depthInScope(scope: RequestScope, { method, target, rawHeaders }: ScopedRequest): number {
  const overrides = rawHeaders.some((name, index) => index % 2 === 0 && OVERRIDING.test(name.toLowerCase()));
  if (overrides || !scope.methods.includes(method) || framingOf(rawHeaders) !== 'none') return -1;
  const paths = readings(target.replace(/[?#].*$/s, ''));
  if (paths === null) return -1;
  const depths = scope.folders
    .filter((folder) => paths.every((path) => isIn(path, folder)))
    .map(({ path }) => path.length);
  return Math.max(-1, ...depths);
}

function isIn(path: string, { path: folder, endings }: Folder): boolean {
  const within = readings(folder)?.some((one) => {
    const whole = one.endsWith('/') ? one : `${one}/`;
    return path.startsWith(whole) || `${path}/` === whole;
  });
  return within === true && (endings?.some((ending) => path.endsWith(ending)) ?? true);
}

/**
 * Everything that a server may take a path for: as it stands, and decoded once or several times.
 *
 * @returns null for a path that leads elsewhere in one of them, or that only attackers write
 */
function readings(text: string): string[] | null {
  const found: string[] = [];
  let path = text;
  for (let layer = 0; layer < MOST_LAYERS; layer++) {
    const plain = path.normalize('NFKC').replace(/\\/g, '/').replace(/\/+/g, '/');
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
