import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { root, run } from './project.mjs';
import { tableOfTests } from './test-tables.mjs';
import { TESTS_OF_ATTACKS } from './tests-of-attacks.mjs';

const PAGE = join(root, 'docs', 'attacks.md');
const INTRODUCTION = `# What is tried against Gatehouse

Every row is a test that attacks a running service, with real boxes, a real database and real TLS, and passes because the attack
fails. \`…\` stands for what a test goes through one by one. [SECURITY.md](../SECURITY.md) says what is promised, and to whom.

The kinds of them, and where most of each are:

- **Text that takes more time than its length**, and limits that come after the work they limit: Hostile texts, Schemas, Inputs, Archives.
- **Sizes that multiply**, in templates, defaults, archives and statements: Large from small, Multiplied limits, Event floods, Schema floods.
- **One owner's load, or one row that fails, in the way of everybody**: Starvation, Turns, Run search, Run operations, the floods.
- **A yes that is used for something else, or later than it holds**: Own runs, Loosening, Gate held, Retries, Debounce.
- **What one request or row may leave behind**, in number, bytes and time: Hooks, Whole log, Space, Errors, Plans.
- **Ways out of the box, past the gate, and to a secret**: Isolation, Kernel, the gates, Masking, Plain secrets.
- **Another workspace, role or script**: Matrix, Invisibility, Bound, Chosen scripts, Scoped keys.

\`npm run fix\` writes this page from the tests' titles, and so does \`npm run attacks\`.
`;

/** `npm run attacks`: writes docs/attacks.md. */
await run(async () => {
  process.chdir(root);
  writeFileSync(PAGE, await tableOfTests(TESTS_OF_ATTACKS, INTRODUCTION));
});
