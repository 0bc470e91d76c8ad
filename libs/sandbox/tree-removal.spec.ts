import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { appDirectory } from './test/in-box.js';
import { emptyTree, removeTree } from './tree-removal.js';

describe('removing what a box has left', () => {
  let kept: ReturnType<typeof appDirectory>;
  let tree: ReturnType<typeof appDirectory>;
  beforeEach(() => {
    kept = appDirectory({ 'kept.txt': '' });
    tree = appDirectory();
  });
  afterEach(() => {
    expect(readdirSync(kept.path)).toEqual(['kept.txt']);
    expect(statSync(kept.path).mode & 0o777).toBe(0o755);
    kept.remove();
    tree.remove();
  });

  it('removes a link in its place, and nothing behind it', async () => {
    const link = join(tree.path, 'scratch');
    symlinkSync(kept.path, link);
    await removeTree(link);
    expect(readdirSync(tree.path)).toEqual([]);
    symlinkSync('nowhere', link);
    await removeTree(link);
    expect(readdirSync(tree.path)).toEqual([]);
    symlinkSync(kept.path, link);
    await emptyTree(link);
    expect(lstatSync(link).isDirectory()).toBe(true);
  });

  it('removes a file or a FIFO in its place', async () => {
    writeFileSync(join(tree.path, 'file'), '');
    execFileSync('mkfifo', [join(tree.path, 'fifo')]);
    await removeTree(join(tree.path, 'file'));
    await removeTree(join(tree.path, 'fifo'));
    expect(readdirSync(tree.path)).toEqual([]);
  });

  it('follows no link inside and finds nothing too deep', async () => {
    execFileSync('python3', [
      '-c',
      'import os, sys\nos.chdir(sys.argv[1]); os.symlink(sys.argv[2], "link"); open(b"\\xff", "w")\nfor i in range(100): os.mkdir("d" * 200); os.chdir("d" * 200); open("f", "w"); os.symlink(sys.argv[2], "l")',
      tree.path,
      kept.path,
    ]);
    await removeTree(tree.path);
    expect(existsSync(tree.path)).toBe(false);
    await removeTree(tree.path);
  });

  it('touches nothing else while folders turn into links under it', async () => {
    // Two processes race: one swaps a folder for a link and back, the other removes.
    const swapping = `
import os, sys
tree, kept = sys.argv[1:]
print("up", flush=True)
while os.path.isdir(tree):
    try:
        os.makedirs(tree + "/a/b", exist_ok=True); os.rename(tree + "/a/b", tree + "/a/c"); os.symlink(kept, tree + "/a/b"); os.unlink(tree + "/a/b")
        os.rename(tree + "/a", tree + "/x"); os.symlink(kept, tree + "/a"); os.unlink(tree + "/a")
    except OSError: pass
`;
    const { spawn } = await import('node:child_process');
    const process = spawn('python3', ['-c', swapping, tree.path, kept.path]);
    const ended = new Promise((resolve) => process.once('exit', resolve));
    try {
      await new Promise((resolve) => process.stdout.once('data', resolve));
      for (let round = 0; round < 200; round++) {
        await removeTree(tree.path).catch(() => undefined);
        mkdirSync(tree.path, { recursive: true });
      }
    } finally {
      process.kill('SIGKILL');
      await ended;
    }
  });

  it('may be done by two at a time', async () => {
    for (let i = 0; i < 50; i++) mkdirSync(join(tree.path, `${i}/inner/most`), { recursive: true });
    const ends = await Promise.allSettled([removeTree(tree.path), removeTree(tree.path)]);
    expect(ends.some(({ status }) => status === 'fulfilled')).toBe(true);
    await removeTree(tree.path);
    expect(existsSync(tree.path)).toBe(false);
  });
});
