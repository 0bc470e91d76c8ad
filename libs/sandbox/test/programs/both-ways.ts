import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox.js';
import { openSandbox } from '../in-box.js';
import { observe, observeWarm } from './observe.js';
import type { Program } from './program.js';

/** Runs each program in an interpreter that was started for it and in one that was there before, and compares what they do. */
export function describeBothWays(name: string, interpreter: string, programs: readonly Program[]): void {
  describe(name, () => {
    let cold: Sandbox;
    let warm: Sandbox;
    beforeAll(async () => {
      cold = await openSandbox({ warmInterpreters: false, maxSlots: 1 });
      warm = await openSandbox({ maxSlots: 1, warmInterpreters: { restMs: 0 } });
      await observe(warm, interpreter, programs[1]!);
    });
    afterAll(async () => {
      await cold.close();
      await warm.close();
    });

    it.each(programs.map((program) => [program.name, program] as const))(
      'cannot be told from one that was started for it: %s',
      async (_, program) => {
        const [expected, found] = await Promise.all([
          observe(cold, interpreter, program),
          observeWarm(warm, interpreter, program),
        ]);
        expect(found.startedAhead).toBe(true);
        expect(expected.startedAhead).toBe(false);
        expect({ ...found, startedAhead: null }).toEqual({ ...expected, startedAhead: null });
      },
    );
  });
}
