import { lineProblem } from '../core/http/index.js';

/** What a file system takes as the name of one file, so that every file can be laid into a run's /inputs. */
const MAX_BYTES = 255;
const NAMELESS = 'file';
/** A name is read on its own, where nothing isolates it: `gpj\u202e.exe` would look like `exe.jpg`. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/;
const UNSHOWABLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** The last part of a path of any system, or `file` where that leaves no name. */
export function baseName(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  return name.trim() === '' || name === '.' || name === '..' ? NAMELESS : name;
}

/** What a path may be made of: no control characters, breaks of lines or turns of direction. */
export const PATH_PATTERN = String.raw`^[^\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]*$`;
const PATH = new RegExp(PATH_PATTERN, 'u');

/** Why a path cannot name a file, whatever its last part, or null. */
export function charactersProblem(path: string): string | null {
  return PATH.test(path) ? null : 'must not contain control characters';
}

export function fileNameProblem(name: string): string | null {
  if (Buffer.byteLength(name) > MAX_BYTES) return `must be at most ${MAX_BYTES} bytes long`;
  if (TURNS.test(name)) return 'must not contain control characters that turn the direction of text';
  return lineProblem(name);
}

/** A script may write any name; what would break a line or turn its direction becomes `_`. */
export function outputName(path: string): string {
  return path.replace(UNSHOWABLE, '_');
}
