import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Obstacle, root, run } from './project.mjs';
import { tableOfTests } from './test-tables.mjs';
import { TESTS_OF_ATTACKS } from './tests-of-attacks.mjs';

const PAGE = join(root, 'docs', 'attacks.md');
const INTRODUCTION = `# What is tried against Gatehouse

Every row is a test that attacks a running service, with real boxes, a real database and real TLS, and passes because the attack
fails. \`…\` stands for what a test goes through one by one. [SECURITY.md](../SECURITY.md) says what is promised, and to whom.

\`npm run attacks\` writes this page from the tests' titles; \`npm run check\` fails where it is out of date.
`;

/** `npm run attacks`: writes docs/attacks.md; with `--check` it only says whether the page is up to date. */
await run(async () => {
  process.chdir(root);
  const page = await tableOfTests(TESTS_OF_ATTACKS, INTRODUCTION);
  if (!process.argv.includes('--check')) return writeFileSync(PAGE, page);
  if (readFileSync(PAGE, 'utf8') !== page) {
    throw new Obstacle('docs/attacks.md is not what the tests say: write it again with `npm run attacks`.');
  }
});
