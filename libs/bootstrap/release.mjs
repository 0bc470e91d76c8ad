import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runProgram } from './child.mjs';
import { nodePath } from './node.mjs';
import { Obstacle, root, run } from './project.mjs';
import { docker, succeed } from './release/succeed.mjs';
import { verifyRelease } from './release/verify.mjs';

const SUMS = 'SHA256SUMS';
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

/**
 * `npm run release -- [OPTION …]`: makes a release of the last commit in `dist/release-VERSION`, out of a clone of its own, and
 * tries it. The options go to `docker build`. Where one of the same commit is there, the new one has to have the same bytes.
 */
await run(async () => {
  // They are needed minutes later.
  await Promise.all([docker('version'), succeed('helm', ['version'])]);
  const [commit, epoch] = git('log', '-1', '--format=%H %ct').split(' ');
  const { version } = JSON.parse(git('show', `${commit}:package.json`));
  const changed = git('status', '--porcelain').split('\n').filter(Boolean).length;
  if (changed > 0) console.log(`${changed} files are not committed: they are not in it.`);
  const target = join(root, 'dist', `release-${version}-${commit.slice(0, 12)}`);
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-release-'));
  try {
    const clone = join(directory, 'gatehouse');
    const made = join(directory, 'made');
    git('clone', '--quiet', '--no-hardlinks', root, clone);
    execFileSync('git', ['checkout', '--quiet', '--detach', commit], { cwd: clone });
    await make(clone, made, epoch);
    compare(target, made);
    await verifyRelease(made, version);
    rmSync(target, { recursive: true, force: true });
    cpSync(made, target, { recursive: true });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  console.log(`Version ${version} of ${commit.slice(0, 12)}, made and tried: ${target}`);
});

/** By the clone's own programs, with nothing of this working tree but npm's cache. */
async function make(clone, made, epoch) {
  const { code } = await runProgram(
    nodePath,
    [join('libs', 'bootstrap', 'run.mjs'), join('release', 'make'), made, ...process.argv.slice(2)],
    { cwd: clone, env: { ...process.env, SOURCE_DATE_EPOCH: epoch, TZ: 'UTC', LC_ALL: 'C' } },
  );
  if (code !== 0) throw new Obstacle('The release could not be made; see above.');
}

/** @throws {Obstacle} where one of this commit was made before, and any file has other bytes now */
function compare(before, now) {
  if (!existsSync(join(before, SUMS))) return;
  const sums = (directory) => readFileSync(join(directory, SUMS), 'utf8').trim().split('\n');
  const earlier = sums(before);
  const other = sums(now).filter((line) => !earlier.includes(line));
  if (other.length > 0) throw new Obstacle(`Made again, these have other bytes:\n${other.join('\n')}`);
  console.log('The same bytes as before.');
}
