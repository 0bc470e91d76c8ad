import type { Run } from '../generated/types.gen.js';
import type { ServerEvent } from '../events/read-events.js';

/** Where a run is on its way. */
export type RunPhase = Run['phase'];

/** What `runs.follow` tells, in the order in which it happens. */
export type RunEvent =
  | { type: 'phase'; phase: RunPhase }
  /** A line of the log. `number` counts from 0, and jumps where lines are no longer kept: one line says how many. */
  | { type: 'log'; line: string; number: number }
  /** As the script reported it, from 0 to 1. */
  | { type: 'progress'; progress: number; message: string | null }
  /** The last one, with the finished run. */
  | { type: 'end'; run: Run };

/** An event of the stream; `end` brings no run with it. Null for one that this package does not know. */
export function runEventOf({ event, data, id }: ServerEvent): RunEvent | 'end' | null {
  const fields = JSON.parse(data);
  switch (event) {
    case 'phase':
      return { type: 'phase', phase: fields.phase };
    case 'log':
      return { type: 'log', line: fields.line, number: Number(id) - 1 };
    case 'progress':
      return { type: 'progress', progress: fields.progress, message: fields.message };
    case 'end':
      return 'end';
    default:
      return null;
  }
}
