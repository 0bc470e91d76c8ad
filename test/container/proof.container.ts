import { expect, it } from 'vitest';

import { tryIn } from './support/container.js';

/** What a container cannot have: another user for each box, and cgroups of its own. */
const MAY_BE_MISSING = ['own-users', 'memory-together', 'processor'];

it('proves its walls in a container as compose.yaml confines it', { timeout: 300_000 }, async () => {
  const { code, stdout, stderr } = await tryIn(['node', 'dist/src/admin.js', 'prove', '--json']);
  expect(code, stdout + stderr).toBe(0);
  const { report, signature } = JSON.parse(stdout) as {
    report: { walls: { name: string; state: string }[] };
    signature: string | null;
  };
  const missing = report.walls.filter(({ state }) => state !== 'held').map(({ name }) => name);
  expect(MAY_BE_MISSING).toEqual(expect.arrayContaining(missing));
  expect(report.walls.length).toBeGreaterThan(25);
  // It has no master key to sign with.
  expect(signature).toBeNull();
});
