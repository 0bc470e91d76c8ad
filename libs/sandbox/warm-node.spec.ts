import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from './sandbox.js';
import { openSandbox } from './test/in-box.js';
import { NODE_PROGRAMS } from './test/programs/node-programs.js';
import { observe, observeWarm } from './test/programs/observe.js';

describe('a Node that was started before its run', () => {
  let cold: Sandbox;
  let warm: Sandbox;
  beforeAll(async () => {
    cold = await openSandbox({ warmInterpreters: false, maxSlots: 1 });
    warm = await openSandbox({ maxSlots: 1, warmInterpreters: { restMs: 0 } });
    await observe(warm, 'node', NODE_PROGRAMS[1]!);
  });
  afterAll(async () => {
    await cold.close();
    await warm.close();
  });

  it.each(NODE_PROGRAMS.map((program) => [program.name, program] as const))(
    'cannot be told from one that was started for it: %s',
    async (_, program) => {
      const [expected, found] = await Promise.all([
        observe(cold, 'node', program),
        observeWarm(warm, 'node', program),
      ]);
      expect(found.startedAhead).toBe(true);
      expect(expected.startedAhead).toBe(false);
      expect({ ...found, startedAhead: null }).toEqual({ ...expected, startedAhead: null });
    },
  );
});
