/** Besides `test/security`: what is attacked in a box, by a kill, from a browser or a terminal, or at a start. */
const ELSEWHERE = [
  ...['libs/sandbox/kernel-memory.spec.ts', 'test/faults/firings.faults.ts', 'test/faults/crashes.faults.ts'],
  ...['libs/sandbox/kept-attacks.spec.ts', 'libs/sandbox/kept-traces.spec.ts'],
  'libs/sandbox/templates-imitated.spec.ts',
  ...['asks-hostile', 'held-settings', 'hostile', 'hostile-clients', 'limits', 'read-only'].map(
    (name) => `libs/egress/protocols/postgres/postgres-${name}.spec.ts`,
  ),
  ...['libs/egress/host-authorities.spec.ts', 'test/e2e/gate-protocols.e2e.ts'],
  ...['test/browser/drafts.walk.ts', 'test/browser/live.walk.ts', 'test/e2e/cli/action.e2e.ts'],
  ...['test/e2e/mcp-sdk1.e2e.ts', 'test/e2e/oauth-keys.e2e.ts', 'test/e2e/refused-ports.e2e.ts'],
  ...['test/e2e/old-data.e2e.ts', 'test/e2e/refused-starts.e2e.ts'],
];
export const TESTS_OF_ATTACKS = ['test/security', ...ELSEWHERE];
