import type { Run } from '@gatehouse/client/operations';
import { expect, it } from 'vitest';

import { ticketOf } from './ticket.js';

it('tells of a failed run in Markdown, without the values of its inputs', () => {
  const run = {
    script: { id: 'scr_1', slug: 'sync' },
    version: 2,
    trial: false,
    environment: 'production',
    error: 'exit code 1: ValueError: no such page\nat line 3',
    startedAt: '2026-11-27T08:00:00.000Z',
    durationMs: 3_200,
  } as Run;
  const ticket = ticketOf({
    run,
    address: 'https://gatehouse.example.com/w/acme/-/runs/run_1',
    lines: ['\u001B[31mTraceback\u001B[0m', '```'],
    differences: [
      { kind: 'version', name: '', before: '1', now: '2' },
      { kind: 'input', name: 'token', before: '"a"', now: '"b"' },
    ],
  });
  expect(ticket).toBe(`**Run of sync failed** (version 2, production)

> exit code 1: ValueError: no such page
> at line 3

- Run: https://gatehouse.example.com/w/acme/-/runs/run_1
- Asked: 2026-11-27T08:00:00.000Z, took 3.2 s
- Since the last success: version 1 → 2; input token differs

The end of its log:

\`\`\`\`
Traceback
\`\`\`
\`\`\`\`
`);
});
