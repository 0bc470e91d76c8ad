import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { PAGES, pageAddress } from './page-addresses.js';

const PLACE = { url: 'https://gatehouse.example.com', workspace: 'acme', environment: null };

describe('the pages of the app', () => {
  const pages = join('libs', 'console', 'src', 'pages');
  const routes = readdirSync(pages).map((name) => readFileSync(join(pages, name, 'routes.tsx'), 'utf8'));
  const known = new Set(
    routes.flatMap((text) => [...text.matchAll(/path: '([^']+)'/g)].map(([, path]) => path)),
  );

  it.each(Object.entries(PAGES))('are there: %s', (_, path) => {
    for (const step of path.slice(1).split('/')) expect(known).toContain(step);
  });

  it.each(['runs/$runId', 'webhooks/$endpointId', 'agents/$agent', 'scripts/$slug', 'approvals/$requestId'])(
    'are there: %s',
    (path) => expect(known).toContain(path),
  );
});

it.each([
  ['whe_1', '/w/acme/-/webhooks/whe_1'],
  ['agt_1', '/w/acme/-/agents/agt_1'],
  ['../a?b', '/w/acme/-/scripts/..%2Fa%3Fb'],
  ['constructor', '/w/acme/-/scripts/constructor'],
  ['toString_1', '/w/acme/-/scripts/toString_1'],
  ['apr_1', '/approvals/apr_1'],
  ['tokens', '/account'],
  ['new-token', '/account/tokens/new'],
])('has an address for %s', (thing, path) => {
  expect(pageAddress(PLACE, thing)).toBe(PLACE.url + path);
});
