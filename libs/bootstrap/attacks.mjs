import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { root, run } from './project.mjs';
import { tableOfTests } from './test-tables.mjs';
import { TESTS_OF_ATTACKS } from './tests-of-attacks.mjs';

const PAGE = join(root, 'docs', 'attacks.md');
const INTRODUCTION = `# What is tried against Gatehouse

Every row is a test that attacks a running service, with real boxes, a real database and real TLS, and passes because the attack
fails. \`…\` stands for what a test goes through one by one. [SECURITY.md](../SECURITY.md) says what is promised, and to whom.

\`npm run fix\` writes this page from the tests' titles, and so does \`npm run attacks\`.
`;

/** `npm run attacks`: writes docs/attacks.md. */
await run(async () => {
  process.chdir(root);
  writeFileSync(PAGE, await tableOfTests(TESTS_OF_ATTACKS, INTRODUCTION));
});
