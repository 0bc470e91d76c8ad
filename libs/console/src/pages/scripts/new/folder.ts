import { MAX_UNPACKED_BYTES } from '../../../kit/archive/tar.js';
import { LOCALE } from '../../../kit/locale.js';

const MAX_ENTRIES = 20_000;
/** What the service takes as an archive, compressed. */
export const MAX_ARCHIVE_BYTES = 10 * 1024 * 1024;

/** Made by tools on one's own machine: dependencies are installed for each version, the rest is of no use in a run. */
export const LEFT_OUT = ['node_modules', '.git', '__pycache__', '.venv', '.DS_Store'];

export function isLeftOut(path: string): boolean {
  return path.split('/').some((step) => LEFT_OUT.includes(step));
}

/** Takes off the one folder around everything, as the service does; a folder that was chosen as a whole has one. */
export function withoutWrapper<File extends { path: string }>(files: File[]): File[] {
  const top = files[0]?.path.split('/', 1)[0];
  if (top === undefined || !files.every(({ path }) => path.startsWith(`${top}/`))) return files;
  return files.map((file) => ({ ...file, path: file.path.slice(top.length + 1) }));
}

/** Why these files cannot be a script, or null. */
export function folderProblem(files: { size: number }[]): string | null {
  if (files.length === 0) return 'There is no file in it.';
  if (files.length > MAX_ENTRIES) {
    return `It has ${files.length.toLocaleString(LOCALE)} files; a script may have ${MAX_ENTRIES.toLocaleString(LOCALE)}.`;
  }
  const bytes = files.reduce((total, { size }) => total + size, 0);
  if (bytes > MAX_UNPACKED_BYTES) {
    return `It has ${megabytes(bytes)} MB; a script may have ${megabytes(MAX_UNPACKED_BYTES)} MB before it is packed.`;
  }
  return null;
}

export function archiveProblem(bytes: number): string | null {
  if (bytes <= MAX_ARCHIVE_BYTES) return null;
  return `Packed, the files have ${megabytes(bytes)} MB; a script may have ${megabytes(MAX_ARCHIVE_BYTES)} MB. Large data belongs into a file input.`;
}

/** What is wrong with the path of a new file, or null. */
export function pathProblem(path: string, others: string[]): string | null {
  const steps = path.split('/');
  if (path.trim() === '') return 'Give the file a name.';
  if (steps.some((step) => step === '' || step === '.' || step === '..')) {
    return 'Write the path within the script, such as src/main.py.';
  }
  if (hasControlCharacter(path)) return 'It holds characters that a name cannot have.';
  if (others.includes(path)) return 'There is such a file already.';
  const clash = others.find((other) => other.startsWith(`${path}/`) || path.startsWith(`${other}/`));
  return clash === undefined ? null : `It cannot be a folder and a file at once: there is ${clash}.`;
}

function hasControlCharacter(text: string): boolean {
  return [...text].some((character) => character < ' ' || character === '\u007f');
}

function megabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toLocaleString(LOCALE, { maximumFractionDigits: 1 });
}
