import { framingOf, type RawHeaders } from './forwarded-headers.js';
import { overridingHeader } from './overriding-headers.js';
import { pathReadings } from './path-readings.js';
import { valuesOf } from './request-checks.js';

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

/** @returns how long the path of the folder is that the request is for, or -1 if it is for none */
export function depthInScope(scope: RequestScope, { method, target, rawHeaders }: ScopedRequest): number {
  const overrides = overridingHeader(rawHeaders) !== null || valuesOf(rawHeaders, 'upgrade').length > 0;
  if (overrides || !scope.methods.includes(method) || framingOf(rawHeaders) !== 'none') return -1;
  const paths = pathReadings(target.replace(/[?#].*$/s, ''));
  if (paths === null) return -1;
  const depths = scope.folders
    .filter((folder) => paths.every((path) => isIn(path, folder)))
    .map(({ path }) => path.length);
  return Math.max(-1, ...depths);
}

/**
 * Whether a server, or a proxy before it, may take a request for one below the folder: all but those that are plainly outside.
 * For what does no harm elsewhere, and must not be missing there.
 */
export function mayBeIn(folder: string, { target, rawHeaders }: ScopedRequest): boolean {
  const paths = overridingHeader(rawHeaders) === null ? pathReadings(target.replace(/[?#].*$/s, '')) : null;
  return paths === null || paths.some((path) => isIn(path, { path: folder }));
}

function isIn(path: string, { path: folder, endings }: Folder): boolean {
  const within = pathReadings(folder)?.some((one) => {
    const whole = one.endsWith('/') ? one : `${one}/`;
    return path.startsWith(whole) || `${path}/` === whole;
  });
  return within === true && (endings?.some((ending) => path.endsWith(ending)) ?? true);
}
