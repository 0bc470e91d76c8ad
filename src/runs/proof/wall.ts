import { cutText } from '../../../libs/cut-text/index.js';
import type { ProofBench } from './proof-bench.js';

/** `cannot-be-here`: this machine, or its settings, has not what the wall is made of. */
export type WallState = 'held' | 'not-held' | 'cannot-be-here';

/** Something that must hold, with the attacks that try it. */
export interface Wall {
  /** As in the report and the gauge. It never changes. */
  name: string;
  /** What holds where it does. */
  says: string;
  /** What to change where it does not. */
  cure: string;
  /** Whether a worker tries it at its start. */
  quick: boolean;
  /** How many boxes it takes at a time. Default 1. */
  boxes?: 2;
  /** What this machine lacks for it. null: nothing. */
  lacks?: (bench: ProofBench) => Lack | null;
  /** Attacks, and says what was reached: nothing, where the wall holds. It judges outside of the box. */
  attack: (bench: ProofBench) => Promise<readonly string[]>;
}

export interface Lack {
  found: string;
  cure: string;
}

/** What became of a wall. */
export interface WallResult {
  name: string;
  state: WallState;
  says: string;
  /** What was reached, or is missing. null: it is held. */
  found: string | null;
  /** What to change. null: nothing. */
  cure: string | null;
}

/** Longer ones tell nothing more, and come from a box. */
const MOST_FOUND = 400;

export function resultOf({ name, says, cure }: Wall, reached: readonly string[]): WallResult {
  if (reached.length === 0) return { name, says, state: 'held', found: null, cure: null };
  return { name, says, state: 'not-held', found: shown(reached.join('; ')), cure };
}

/** An attack that could not be made shows nothing, so its wall does not count as held. */
export function untriedOf({ name, says, cure }: Wall, error: unknown): WallResult {
  const why = error instanceof Error ? error.message : String(error);
  return { name, says, state: 'not-held', found: shown(`it could not be tried: ${why}`), cure };
}

export function lackingOf({ name, says }: Wall, { found, cure }: Lack): WallResult {
  return { name, says, state: 'cannot-be-here', found, cure };
}

/** What a box has said may be anything: one line of it is shown. */
function shown(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').trim();
  return cutText(line, MOST_FOUND, ' …');
}
