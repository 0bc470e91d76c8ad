import { spawnSync } from 'node:child_process';

/** Where the change is to go, the first of these that there is. */
const BRANCHES = ['origin/main', 'main'];

/**
 * Lists the files that differ from a commit: those that are not committed, new or deleted ones too.
 * @param {string} [base] by default where this branch left `main`
 * @returns {string[] | null} their paths; null: there is nothing to compare with
 */
export function changedFiles(
  base = BRANCHES.map((branch) => git('merge-base', 'HEAD', branch)?.trim()).find(Boolean),
) {
  if (!base) return null;
  const differing = git('diff', '--name-only', '-z', base);
  if (differing === null) return null;
  const untracked = git('ls-files', '--others', '--exclude-standard', '-z');
  return `${differing}${untracked}`.split('\0').filter(Boolean);
}

/**
 * Finds what the gate compares with in a clone that knows no other branch.
 * @param {number} hours
 * @returns {string | undefined} the newest commit that is so many hours older than the last one
 */
export function commitBefore(hours) {
  const last = Number(git('log', '-1', '--format=%ct'));
  return (
    git('rev-list', '-1', '--first-parent', `--before=${last - hours * 3600}`, 'HEAD')?.trim() || undefined
  );
}

/** @returns {string | null} what it printed; null: it failed, or there is no git */
function git(...args) {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return status === 0 ? stdout : null;
}
