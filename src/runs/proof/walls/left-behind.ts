import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { daemonOf, LEAVE, LOOK, processesWith } from '../../../../libs/attacks/index.js';
import { ownName } from '../../../../libs/sandbox/index.js';
import { randomText } from '../../../core/crypto/index.js';
import { ProofBench } from '../proof-bench.js';
import type { Wall } from '../wall.js';

const CGROUPS = '/sys/fs/cgroup';
const MOST_LEVELS = 8;

/** In a sandbox of its own, which is closed. It is tried alone: what others have at that moment would be counted as well. */
export const LEFT_BEHIND: Wall = {
  name: 'left-behind',
  says: 'Nothing of a run is left when it has ended: no process, mount, cgroup or file.',
  cure: 'End the processes that are named, look for another program that keeps mounts, and restart the worker, which clears up.',
  quick: false,
  attack: leaveBehind,
};

async function leaveBehind({ parts }: ProofBench): Promise<string[]> {
  const before = await remains(parts.settings.dataDirectory);
  const marker = `left-${randomText(20)}`;
  const sandbox = await parts.openAnother!();
  const reached: string[] = [];
  try {
    const bench = new ProofBench({ ...parts, sandbox });
    await bench.attack({ code: `${daemonOf(marker, 60)}${LEAVE}` });
    if (processesWith(marker).length > 0) reached.push('a process');
    const found = await bench.findings<unknown[]>({ code: LOOK });
    if (JSON.stringify(found) !== JSON.stringify([[], -1, -1, -1, 0, 0]))
      reached.push(`what the next run finds: ${JSON.stringify(found)}`);
  } finally {
    await sandbox.close();
  }
  const after = await remains(parts.settings.dataDirectory);
  return [...reached, ...after.filter((one) => !before.includes(one))];
}

/** What there is of this process's sandboxes: mounts, cgroups, directories. */
async function remains(dataDirectory: string): Promise<string[]> {
  const mounts = (await readFile('/proc/self/mountinfo', 'utf8')).split('\n');
  const own = mounts.map((line) => line.split(' ')[4] ?? '').filter((path) => path.startsWith(dataDirectory));
  const boxes = join(dataDirectory, 'boxes');
  const directories = await readdir(boxes).catch(() => []);
  return [
    ...own.map((path) => `the mount ${path}`),
    ...(await groupsBelow(CGROUPS, MOST_LEVELS)).map((path) => `the cgroup ${path}`),
    ...directories
      .filter((name) => name.includes(ownName()))
      .map((name) => `the directory ${join(boxes, name)}`),
  ];
}

async function groupsBelow(directory: string, levels: number): Promise<string[]> {
  if (levels === 0) return [];
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const below = entries.filter((entry) => entry.isDirectory());
  const found = await Promise.all(
    below.map(async ({ name }) => {
      const path = join(directory, name);
      return name.startsWith(`${ownName()}-`) ? [path] : groupsBelow(path, levels - 1);
    }),
  );
  return found.flat();
}
