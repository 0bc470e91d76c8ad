/** Besides `test/security`: what is attacked by a kill, from a browser or a terminal, or at a start. */
const ELSEWHERE = [
  ...['libs/sandbox/kernel-memory.spec.ts', 'test/faults/firings.faults.ts', 'test/faults/crashes.faults.ts'],
  ...['test/browser/drafts.walk.ts', 'test/browser/live.walk.ts', 'test/e2e/cli/action.e2e.ts'],
  ...['test/e2e/mcp-sdk1.e2e.ts', 'test/e2e/oauth-keys.e2e.ts', 'test/e2e/refused-ports.e2e.ts'],
  ...['test/e2e/old-data.e2e.ts', 'test/e2e/refused-starts.e2e.ts'],
];
export const TESTS_OF_ATTACKS = ['test/security', ...ELSEWHERE];
