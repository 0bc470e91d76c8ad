import { expect, it } from 'vitest';

import { finished, runUntil } from '../support/scripts.js';
import { aGatedAttacker } from './support/gated.js';

const MiB = 1024 * 1024;
/** Alone: of a service that others use, it could not be told for whom it grows. */
const attacker = aGatedAttacker({ alone: true });

it.each([
  ['the log', 'for _ in range(500): os.write(2, (b"x" * 4000 + b"\\n") * 250)'],
  ['one line of it', 'for _ in range(500): os.write(2, b"x" * 1000000)'],
  ['progress', 'for _ in range(500): os.write(2, (b"::progress 0.5 " + b"x" * 4000 + b"\\n") * 250)'],
  ['the output', 'for _ in range(500): os.write(1, b"x" * 1000000)'],
])('half a gigabyte to %s is never held in memory', { tags: 'slow' }, async (_, code) => {
  const script = await attacker.script(code, { timeout: 120 });
  const before = attacker.residentBytes();
  let most = before;
  await runUntil(attacker.api, await attacker.begin(script), (run) => {
    most = Math.max(most, attacker.residentBytes());
    return finished(run);
  });
  expect(most - before).toBeLessThan(256 * MiB);
});
