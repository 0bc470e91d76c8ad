import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { programFingerprint } from './build.mjs';
import { fingerprint, Stamp } from './freshness.mjs';
import { runNode } from './node.mjs';
import { Obstacle, root } from './project.mjs';

const CONFIG = 'tsconfig.build.json';
const dist = join(root, 'dist');
const stamp = new Stamp(join(dist, '.declarations'));

/** Writes the program's types (`.d.ts`) beside its modules if they are stale: packages need them, a start does not. */
export async function ensureDeclarations() {
  const state = fingerprint(root, [CONFIG, 'tsconfig.json'], { salt: programFingerprint() });
  const complete = existsSync(join(dist, 'src', 'main.d.ts'));
  if (complete && stamp.matches(state)) return;
  stamp.clear();
  // The compiler goes by its own record of what it has written; without the files that is wrong.
  if (!complete) rmSync(join(dist, '.tsbuildinfo'), { force: true });
  const { code } = await runNode(join('node_modules', 'typescript', 'bin', 'tsc'), ['-p', CONFIG]);
  if (code !== 0) throw new Obstacle('The types could not be written; see above.');
  stamp.write(state);
}
