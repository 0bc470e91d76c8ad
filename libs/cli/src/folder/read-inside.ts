import { lstat, readFile, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';

/**
 * A file of a folder that may have been cloned from somebody: what it names or links to elsewhere on this machine is not theirs.
 *
 * @throws Error where the file lies outside the folder or is none, or with the system's code where it cannot be read
 */
export async function readInside(folder: string, path: string): Promise<Buffer> {
  const [root, file] = await Promise.all([realpath(folder), realpath(join(folder, path))]);
  if (!file.startsWith(`${root}${sep}`)) throw new Error(`${path}: it lies outside the folder`);
  // A pipe or a device could be read for ever.
  if (!(await lstat(file)).isFile()) throw new Error(`${path}: it is no file`);
  return readFile(file);
}
