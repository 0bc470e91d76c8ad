import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rmdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BoxLimits } from './box.js';
import { parseOwner, stateOf } from './ownership.js';

/** What the processes of a cgroup have for themselves, and what the kernel has for them. */
export interface GroupMemory {
  /** In bytes, without what is kept of files on a disk. */
  used(): number;
  /** Changes the limit. @throws if the kernel refuses */
  limit(bytes: number): void;
}

/** The cgroup (or, in version 1, the cgroups) of one slot. */
export interface SlotGroup {
  /** `cgroup.procs` files that the launcher writes itself into. */
  readonly join: readonly string[];
  /** A file with a line `oom_kill N`. */
  readonly oomEvents: string;
  /** Buffers of sockets have a limit here, together with other memory or apart. */
  readonly countsSockets: boolean;
  /** Where they are counted apart and exceed their limit: a file with their bytes, and the most that a box may have. */
  readonly socketUsage: { file: string; most: number } | null;
  /** A file with the most bytes that it has had. null: the kernel has none. */
  readonly memoryPeak: string | null;
  /** A file with the number of processes and threads. */
  readonly processCount: string;
  readonly memory: GroupMemory;
  readonly directories: readonly string[];
}

/** Where this worker may make cgroups. */
export interface GroupTree {
  readonly kind: 'cgroup-v1' | 'cgroup-v2';
  /** The directories under which slots' cgroups are made. */
  readonly parents: readonly string[];
  /** @throws if the kernel refuses; @param name is unique on this machine. */
  create(name: string, limits: BoxLimits): SlotGroup;
  /** Removes the parents, if nobody else uses them. */
  dispose(): void;
}

/** A file of a cgroup, where this kernel has one of that name. */
export function controlIn(directory: string, file: string): string | null {
  const path = join(directory, file);
  return existsSync(path) ? path : null;
}

/** The launcher's two processes, bubblewrap and the box's process 1 are counted in the slot's cgroup as well. */
export const PROCESSES_OF_OURS = 4;

export interface Mount {
  /** The part of the file system that is mounted. */
  root: string;
  path: string;
  type: string;
  options: string[];
}

/** Source: proc(5), `/proc/pid/mountinfo`. Octal escapes (`\040`) in paths are decoded. */
export function parseMounts(mountinfo: string): Mount[] {
  const decode = (text: string): string =>
    text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)));
  return mountinfo
    .split('\n')
    .filter((line) => line.includes(' - '))
    .map((line) => {
      const [before = '', after = ''] = line.split(' - ');
      const [, , , root = '', path = ''] = before.split(' ');
      const [type = '', , options = ''] = after.split(' ');
      return { root: decode(root), path: decode(path), type, options: options.split(',') };
    });
}

/** Source: cgroups(7), `/proc/pid/cgroup`. @returns path by controller; version 2 under the empty string. */
export function parseMembership(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, controllers, ...path] = line.split(':');
    if (controllers === undefined || path.length === 0) continue;
    for (const controller of controllers.split(',')) found.set(controller, path.join(':'));
  }
  return found;
}

/** The directory of a membership as it is visible through a mount, which in a container may show only a part. */
export function visibleDirectory(mount: Mount, membership: string): string {
  const root = mount.root === '/' ? '' : mount.root;
  const inside = membership === root || membership.startsWith(`${root}/`);
  return inside ? resolve(mount.path, `.${membership.slice(root.length)}`) : mount.path;
}

export function writeControl(directory: string, file: string, value: string | number): void {
  writeFileSync(join(directory, file), String(value));
}

export function readControl(directory: string, file: string): string {
  return readFileSync(join(directory, file), 'utf8').trim();
}

/** @returns the number behind a word at the beginning of a line of `memory.stat`. */
export function memoryOf(directory: string, word: string): number {
  return Number(new RegExp(`^${word} (\\d+)$`, 'm').exec(readControl(directory, 'memory.stat'))?.[1] ?? 0);
}

/** Kills what is left in a cgroup and removes it. Gives up after two seconds, as the next sweep will try again. */
export async function removeGroup(directory: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    try {
      await rmdir(directory);
      return;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return;
      if (code !== 'EBUSY') throw error;
    }
    const members = await readFile(join(directory, 'cgroup.procs'), 'utf8').catch(() => '');
    for (const pid of members.split('\n').filter(Boolean).map(Number)) {
      try {
        if (pid > 0) process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended meanwhile.
      }
    }
    await sleep(10);
  }
}

/** Removes the cgroups of workers that are gone, with whatever still runs in them. */
export async function sweepGroups(tree: GroupTree): Promise<void> {
  for (const parent of tree.parents) {
    const names = await readdir(parent).catch(() => []);
    const stale = names.filter((name) => {
      const owner = parseOwner(name);
      return owner !== null && stateOf(owner) === 'gone';
    });
    await Promise.all(stale.map((name) => removeGroup(join(parent, name))));
  }
}
