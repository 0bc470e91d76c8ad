import { readFileSync } from 'node:fs';
import { findV1 } from './cgroup-v1.js';
import { findV2 } from './cgroup-v2.js';
import { parseMembership, parseMounts } from './cgroups.js';
import type { GroupTree } from './cgroups.js';

/**
 * Finds a place to make cgroups for memory and processes: version 2 where it has those controllers, else version 1.
 * @param name of the directory that holds ours.
 * @returns null where there is none, as for an ordinary user without delegation.
 */
export function findGroups(name: string): GroupTree | null {
  const mounts = parseMounts(readFileSync('/proc/self/mountinfo', 'utf8'));
  const membership = parseMembership(readFileSync('/proc/self/cgroup', 'utf8'));
  return findV2(mounts, membership, name) ?? findV1(mounts, membership, name);
}
