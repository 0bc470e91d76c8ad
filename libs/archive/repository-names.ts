import { badEntry } from './archive-limits.js';
import type { InspectedArchive } from './inspect-archive.js';

/** Characters that macOS passes over in a name. */
const PASSED_OVER = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/**
 * A name as any system may take it: macOS and Windows pass over case, Windows also over dots and spaces at the end and names of
 * streams.
 */
function plainName(name: string): string {
  return name
    .replace(PASSED_OVER, '')
    .replace(/:.*$/s, '')
    .replace(/[. ]+$/, '')
    .toLowerCase();
}

/** Whether Git takes a folder or file of this name for a repository. Windows has short names, too. */
function isRepositoryName(name: string): boolean {
  const plain = plainName(name);
  return plain === '.git' || /^git~\d+$/.test(plain);
}

/**
 * Refuses Git repositories, also those without a `.git`: whoever unpacks one and calls Git there, as many a prompt does, executes
 * the programs that its configuration names.
 *
 * @throws InvalidInput at `archive`, naming the entry
 */
export function refuseRepositories({ files, folders }: Pick<InspectedArchive, 'files' | 'folders'>): void {
  const paths = [...files.map(({ path }) => path), ...folders];
  // Each of their folders is one of them.
  const found = paths.find((path) => isRepositoryName(path.slice(path.lastIndexOf('/') + 1)));
  if (found !== undefined) throw badEntry(found, 'is of a Git repository; pack the folder without its .git');
  const head = bareHead(paths);
  if (head === undefined) return;
  throw badEntry(
    head,
    'makes its folder a Git repository, with what is beside it; pack the folder without it',
  );
}

/** The `HEAD` of a folder that Git takes for a repository as it is: what else it needs may be links and empty folders. */
function bareHead(paths: readonly string[]): string | undefined {
  const plain = new Map<string, string>();
  const plainPath = (path: string): string => {
    const end = path.lastIndexOf('/');
    const known = plain.get(path);
    if (known !== undefined) return known;
    const name = plainName(path.slice(end + 1));
    const made = end < 0 ? name : `${plainPath(path.slice(0, end))}/${name}`;
    plain.set(path, made);
    return made;
  };
  const all = new Set(paths.map(plainPath));
  return paths.find((path) => {
    const [, folder, name] = /^(.*\/)?([^/]*)$/s.exec(plainPath(path))!;
    if (name !== 'head') return false;
    const has = (other: string): boolean => all.has(`${folder ?? ''}${other}`);
    return has('commondir') || (has('objects') && has('refs'));
  });
}
