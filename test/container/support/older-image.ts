import { dirname, join } from 'node:path';

import { inject } from 'vitest';

import type { Dump } from '../../upgrades/support/dump.js';
import { programOf } from '../../upgrades/support/release-program.js';
import { engine } from './container.js';

const CHANGES = ['USER 1000:1000', 'CMD ["node", "dist/src/main.js"]'].map((line) => `--change=${line}`);

/**
 * The image of an earlier release, as `gatehouse:VERSION`: its program in place of ours. What lies below, Debian, Node and the
 * packages, is that of our image, so nothing is built and installed again.
 */
export async function olderImage(release: Dump): Promise<void> {
  const program = join(dirname(await programOf(release)), '..', '..');
  const made = await engine().docker([
    ...['create', '--user=0', '--network=none', inject('image')],
    ...['rm', '-r', '/app/dist/src', '/app/dist/libs'],
  ]);
  await engine().docker(['start', '--attach', made]);
  for (const path of ['dist/src', 'dist/libs', 'package.json'])
    await engine().docker(['cp', join(program, path), `${made}:/app/${path}`]);
  await engine().docker(['commit', ...CHANGES, made, `gatehouse:${release.version}`]);
  await engine().docker(['rm', made]);
}
