import { setImmediate as turn } from 'node:timers/promises';

import type { FittedInputs } from './automated-run-order.js';
import type { AutomatedRun } from './automated-runs.sql.js';

/** So many are worked on before the event loop has its turn: with inputs of 64 KiB each, some milliseconds. */
const SLICE = 20;
/** One statement writes no more inputs than this, or one run's. */
const PORTION_CHARACTERS = 2 * 1024 * 1024;

/** As `Promise.all` over the items, a slice of them at a time. */
export async function inSlices<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let first = 0; first < items.length; first += SLICE) {
    if (first > 0) await turn();
    results.push(...(await Promise.all(items.slice(first, first + SLICE).map(work))));
  }
  return results;
}

/** What one statement each is to write. */
export function portionsOf<Made extends { run: Pick<AutomatedRun, 'inputs'> }>(
  all: readonly Made[],
): Made[][] {
  return portions(all, ({ run }) => run.inputs.text.length);
}

/** What one transaction each is to start. */
export function inputPortions<Fitted extends { inputs: Pick<FittedInputs, 'inputs'> }>(
  all: readonly Fitted[],
): Fitted[][] {
  return portions(all, ({ inputs }) => inputs.inputs.text.length);
}

function portions<T>(all: readonly T[], charactersOf: (item: T) => number): T[][] {
  const found: T[][] = [];
  let characters = Infinity;
  for (const item of all) {
    const own = charactersOf(item);
    characters += own;
    if (characters > PORTION_CHARACTERS) {
      found.push([]);
      characters = own;
    }
    found.at(-1)!.push(item);
  }
  return found;
}
