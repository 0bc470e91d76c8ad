import { createHash } from 'node:crypto';

import type { BoxSpec } from './box.js';
import type { InterpreterKind } from './interpreter-kind.js';
import { type SlotKind, slotKey } from './slot-kind.js';
import type { TemplateWish } from './template-wish.js';

/** Of one version that is called without a pause. What it says of itself may be less. */
export interface KeptOptions {
  /** All that stay and have no run may have as much together. Default: a quarter of what was free when the sandbox was opened. */
  memoryBytes?: number;
  /** How many may stay without a run. Default: 32, or as many as there may be boxes at a time. */
  most?: number;
  /** While the machine, or the worker's cgroup, has less memory than this, nothing stays. Default 384 MiB. */
  spareBytes?: number;
}

/** Tells an interpreter that its pipes come with its run, see `door/door.c`. */
const STAYS = 'SANDBOX_STAYS';

/** Further runs tell the program the same as the first one, but for these. The last word tells it that there may be any. */
const ONCE_MORE = 'stays';

/**
 * A process that stays for a run like this one: all that it was started with is the same. What is each run's own comes with each
 * (its inputs, what its function is told, its variables).
 * @returns null where none may stay
 */
export function keptWish(
  { keep, argv, app, network, extraRoBinds }: BoxSpec,
  kind: InterpreterKind,
  env: Readonly<Record<string, string>>,
  slot: SlotKind,
): TemplateWish | null {
  if (!keep || extraRoBinds) return null;
  const [interpreter, program, file] = argv;
  const same = Object.entries(env).map(([name, value]) => (keep.own.includes(name) ? [name] : [name, value]));
  const key = slotKey(slot);
  const identity = [kind.key, keep.name, key, interpreter, program, file, same.sort(), network ?? null];
  // Many are remembered for a while. Values of variables should not be, nor as much of them as there may be.
  const digest = createHash('sha256').update(JSON.stringify(identity)).digest('hex');
  return {
    kind: { ...kind, key: digest, env: { ...kind.env, [STAYS]: '1' } },
    key,
    app,
    owner: keep.owner,
    unusedMs: keep.idleMs,
    mostRuns: keep.runs,
  };
}

/** The command of a run whose process may stay. */
export const commandThatStays = (argv: readonly string[]): string[] => [...argv, ONCE_MORE];
