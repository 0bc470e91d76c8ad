import { chownSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parseMounts } from '../../../libs/sandbox/cgroups.js';

const CONTROLLERS = ['memory', 'pids', 'cpu'];

/**
 * Gives the image's user cgroups of its own to divide, so that limits hold for a whole script.
 *
 * @param parent below which they are made, in each hierarchy of version 1
 * @returns options of `docker run`; none where the machine has version 2, which engines delegate themselves
 */
export function delegateGroups(parent: string, user: number): string[] {
  const mounts = parseMounts(readFileSync('/proc/self/mountinfo', 'utf8'));
  const hierarchies = CONTROLLERS.map(
    (controller) =>
      mounts.find(({ type, options }) => type === 'cgroup' && options.includes(controller))?.path,
  );
  return [...new Set(hierarchies)].flatMap((hierarchy) => {
    if (hierarchy === undefined) return [];
    const directory = join(hierarchy, parent, 'delegated');
    mkdirSync(directory, { recursive: true });
    for (const path of [directory, join(directory, 'cgroup.procs')])
      if (existsSync(path)) chownSync(path, user, user);
    return [`--volume=${directory}:${hierarchy}`];
  });
}
