import { cutText } from '../cut-text/index.js';
import { badEntry } from './archive-limits.js';

const MAX_PATH_BYTES = 1024;
const MAX_NAME_BYTES = 255;
/** Control characters, and what decoding leaves in the place of bytes that are not UTF-8. */
const FORBIDDEN = /[\u0000-\u001f\u007f\ufffd]/;

/**
 * An entry's path in its plain form: no leading `./`, no empty or `.` steps. The folder itself is `''`.
 *
 * @throws InvalidInput naming the entry, when the path is absolute, climbs out or cannot be a file's name everywhere
 */
export function plainPath(name: string): string {
  if (FORBIDDEN.test(name))
    throw badEntry(name, 'has a name with control characters or bytes that are not UTF-8');
  if (name.startsWith('/'))
    throw badEntry(name, 'has an absolute path; paths must be relative to the folder');
  const steps = name.split('/').filter((step) => step !== '' && step !== '.');
  if (steps.includes('..')) throw badEntry(name, 'climbs out of the folder with ".."');
  if (steps.some((step) => Buffer.byteLength(step) > MAX_NAME_BYTES)) {
    throw badEntry(name, `has a name of more than ${MAX_NAME_BYTES} bytes`);
  }
  const path = steps.join('/');
  if (Buffer.byteLength(path) > MAX_PATH_BYTES)
    throw badEntry(name, `has a path of more than ${MAX_PATH_BYTES} bytes`);
  return path;
}

interface LinkTarget {
  /** The target in its plain form, as it is to be written. */
  target: string;
  /** How many folders it climbs before it descends. */
  climbs: number;
}

/**
 * The target of a symbolic link at `path`, when it stays in the folder. `..` may only lead: after a name, which may be a link itself,
 * it would not go where the text says.
 *
 * @throws InvalidInput naming the entry
 */
export function symlinkTarget(path: string, linkname: string): LinkTarget {
  const wrong = (what: string) =>
    badEntry(path, `is a link ${what} (${JSON.stringify(cutText(linkname, 200))})`);
  if (linkname === '' || FORBIDDEN.test(linkname)) throw wrong('whose target is not a usable path');
  if (linkname.startsWith('/')) throw wrong('to an absolute path; it must point inside the folder');
  const steps = linkname.split('/').filter((step) => step !== '' && step !== '.');
  const climbs = steps.findIndex((step) => step !== '..');
  const leading = climbs < 0 ? steps.length : climbs;
  if (leading > depthOf(path)) throw wrong('that points outside the folder');
  if (steps.slice(leading).includes('..')) throw wrong('with ".." in the middle of its target');
  return { target: steps.join('/') || '.', climbs: leading };
}

/** How many folders lie between the root and the entry. */
export function depthOf(path: string): number {
  return path.split('/').length - 1;
}

/** What macOS leaves beside files: resource forks and folder settings. They are not part of a script. */
export function isPlatformLitter(path: string): boolean {
  return path.split('/').some((step) => step.startsWith('._') || step === '.DS_Store' || step === '__MACOSX');
}
