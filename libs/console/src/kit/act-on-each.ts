import { isProblem } from '../api/problem.js';

export interface Outcome {
  done: number;
  /** What was refused, and why. */
  refused: { name: string; reason: string }[];
}

/** Does one thing after the other, and goes on where one is refused. */
export async function actOnEach<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  act: (item: Item) => Promise<unknown>,
): Promise<Outcome> {
  const outcome: Outcome = { done: 0, refused: [] };
  for (const item of items) {
    try {
      await act(item);
      outcome.done += 1;
    } catch (error) {
      // Nobody is signed in any more, or they did not confirm that it is them: the rest would be refused as well.
      if (isProblem(error, 'unauthorized') || isProblem(error, 'cancelled')) throw error;
      outcome.refused.push({
        name: nameOf(item),
        reason: error instanceof Error ? error.message : String(error),
      });
    }
  }
  return outcome;
}
