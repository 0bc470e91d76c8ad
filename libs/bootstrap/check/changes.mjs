import { spawnSync } from 'node:child_process';

/** Where the change is to go, the first of these that there is. */
const BASES = ['origin/main', 'main'];

/**
 * Paths of the files that differ from `main` since this branch left it: those that are not committed, new or deleted ones too.
 * @returns {string[] | null} null: there is nothing to compare with
 */
export function changedFiles() {
  const base = BASES.map((branch) => git('merge-base', 'HEAD', branch)?.trim()).find(Boolean);
  if (!base) return null;
  const differing = git('diff', '--name-only', '-z', base);
  const untracked = git('ls-files', '--others', '--exclude-standard', '-z');
  return `${differing}${untracked}`.split('\0').filter(Boolean);
}

/** @returns {string | null} what it printed; null: it failed, or there is no git */
function git(...args) {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return status === 0 ? stdout : null;
}
