import { execFile } from 'node:child_process';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Never a part of a script: what is installed again, what belongs to tools, and what holds secrets on this machine. */
const NEVER = [
  '.git',
  '.env',
  '.env.*',
  '.venv',
  'venv',
  'node_modules',
  '.deps',
  '__pycache__',
  '*.pyc',
  '.DS_Store',
];

/**
 * The files of a folder that make the script, by their paths in it, sorted. In a repository of git, what it ignores is left out.
 *
 * @param ignore names and paths, with `*` for any characters
 */
export async function folderFiles(folder: string, ignore: readonly string[]): Promise<string[]> {
  const patterns = [...NEVER, ...ignore].map(patternOf);
  const isLeftOut = (path: string): boolean => {
    const parts = path.split('/');
    return parts.some((part, place) => {
      const upTo = parts.slice(0, place + 1).join('/');
      return patterns.some((pattern) => pattern.test(part) || pattern.test(upTo));
    });
  };
  const all = (await filesOfGit(folder)) ?? (await filesBelow(folder, '', isLeftOut));
  return all.filter((path) => !isLeftOut(path)).sort();
}

/** null: it is in no repository. */
async function filesOfGit(folder: string): Promise<string[] | null> {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  try {
    const { stdout } = await promisify(execFile)('git', args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
    const paths = [...new Set(stdout.split('\0').filter((path) => path !== ''))];
    const there = await Promise.all(paths.map((path) => isFile(join(folder, path))));
    return paths.filter((_, place) => there[place]);
  } catch {
    return null;
  }
}

async function filesBelow(
  folder: string,
  below: string,
  isLeftOut: (path: string) => boolean,
): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (isLeftOut(path)) continue;
    if (entry.isDirectory()) found.push(...(await filesBelow(folder, path, isLeftOut)));
    else if (entry.isFile() || entry.isSymbolicLink()) found.push(path);
  }
  return found;
}

/** A file that git knows may be deleted here. */
async function isFile(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  return found !== null && !found.isDirectory();
}

function patternOf(text: string): RegExp {
  const escaped = text.replace(/\/$/, '').replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '[^/]*')}$`);
}
