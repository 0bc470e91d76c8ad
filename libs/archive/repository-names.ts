import { badEntry } from './archive-limits.js';

/** Characters that macOS passes over in a name. */
const PASSED_OVER = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/**
 * Whether Git takes a folder or file of this name for a repository, on any system: macOS and Windows pass over case,
 * Windows also dots and spaces at the end, names of streams, and it has short names.
 */
function isRepositoryName(name: string): boolean {
  const plain = name
    .replace(PASSED_OVER, '')
    .replace(/:.*$/s, '')
    .replace(/[. ]+$/, '')
    .toLowerCase();
  return plain === '.git' || /^git~\d+$/.test(plain);
}

/**
 * Refuses files of a Git repository: whoever unpacks them and calls Git there executes the programs that its configuration names.
 *
 * @throws InvalidInput at `archive`, naming the entry
 */
export function refuseRepositories(files: readonly { path: string }[]): void {
  const found = files.find(({ path }) => path.split('/').some(isRepositoryName));
  if (found) throw badEntry(found.path, 'is of a Git repository; pack the folder without its .git');
}
