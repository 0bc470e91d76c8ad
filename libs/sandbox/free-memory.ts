import { existsSync, readFileSync } from 'node:fs';
import { freemem } from 'node:os';
import { dirname, join } from 'node:path';

import { memoryOf, parseMembership, parseMounts, readControl, visibleDirectory } from './cgroups.js';

const VERSIONS = [
  { limit: 'memory.max', usage: 'memory.current', files: ['active_file', 'inactive_file'] },
  {
    limit: 'memory.limit_in_bytes',
    usage: 'memory.usage_in_bytes',
    files: ['total_active_file', 'total_inactive_file'],
  },
];

/** What a cgroup may still take, in bytes. What the kernel only keeps of files it gives back to whoever needs it. */
export function freeIn(directory: string): number {
  const names = VERSIONS.find(({ limit }) => existsSync(join(directory, limit)));
  if (!names) return Infinity;
  const limit = Number(readControl(directory, names.limit));
  // `max`
  if (Number.isNaN(limit)) return Infinity;
  const kept = names.files.reduce((sum, word) => sum + memoryOf(directory, word), 0);
  return Math.max(0, limit - Number(readControl(directory, names.usage)) + kept);
}

/** That of this process, and those above it as far as they can be seen. */
function ownDirectories(): string[] {
  const mounts = parseMounts(readFileSync('/proc/self/mountinfo', 'utf8'));
  const membership = parseMembership(readFileSync('/proc/self/cgroup', 'utf8'));
  const found: string[] = [];
  for (const mount of mounts) {
    const controller = mount.type === 'cgroup2' ? '' : 'memory';
    const current = membership.get(controller);
    if (current === undefined || !(mount.type === 'cgroup2' || mount.options.includes('memory'))) continue;
    for (let at = visibleDirectory(mount, current); at.startsWith(mount.path); at = dirname(at))
      found.push(at);
  }
  return found;
}

let directories: string[] | null = null;

/**
 * What this process and its boxes may still take, in bytes: the machine's, or what is left of a cgroup's limit. Node's own account counts
 * as used what the kernel keeps of files. With a limit, that is nearly all of it after a while.
 */
export function freeMemory(): number {
  if (process.platform !== 'linux') return process.availableMemory();
  directories ??= ownDirectories();
  return Math.min(freemem(), ...directories.map(freeIn));
}
