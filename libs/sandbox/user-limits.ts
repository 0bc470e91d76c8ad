import { readFileSync } from 'node:fs';

import type { BoxLimits } from './box.js';

/** Of what a user may have, what all boxes of one sandbox may take at the most; there may be several. */
const SHARE = 1 / 4;

/** Source: proc(5), `/proc/pid/limits`. */
export function softLimit(text: string, name: string): number {
  const value = new RegExp(`^${name} +(\\d+)`, 'm').exec(text)?.[1];
  return value === undefined ? Infinity : Number(value);
}

/**
 * The limits of boxes beside an ordinary user's worker. The kernel counts processes for the user who made their
 * namespaces, which is the worker's. It counts descriptors in messages for the box's, which may be the same.
 */
export function besideOrdinaryUser(limits: BoxLimits, slots: number): BoxLimits {
  const text = readFileSync('/proc/self/limits', 'utf8');
  const processes = Math.floor((softLimit(text, 'Max processes') * 2 * SHARE) / slots);
  const openFiles = Math.floor(softLimit(text, 'Max open files') / 2);
  return {
    ...limits,
    processes: Math.min(limits.processes, processes),
    openFiles: Math.min(limits.openFiles, openFiles),
  };
}

/** How many descriptors a box may watch with epoll that runs as the worker's own user. */
export function watchesOfBox(slots: number): number {
  const most = Number(readFileSync('/proc/sys/fs/epoll/max_user_watches', 'utf8'));
  return Math.max(1, Math.floor((most * SHARE) / slots));
}
