import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { connectApp } from '../security/support/matrix/agent-grants.js';
import { baseUrl, newWorkspace } from '../support/gatehouse.js';
import { NOT_APPLICABLE } from './not-applicable.js';
import { authorizingProxy, type Proxy } from './support/authorizing-proxy.js';
import { runSuite } from './support/suite.js';

const TIMEOUT_MS = 280_000;

let proxy: Proxy;
beforeAll(async () => {
  const workspace = await newWorkspace();
  const grant = { person: workspace.owner, workspace: workspace.slug };
  proxy = await authorizingProxy(baseUrl(), await connectApp(grant));
});
afterAll(() => proxy.close());

/** What fails must be exactly what cannot apply: a new failure and a reason that is gone both turn this red. */
describe.each(Object.entries(NOT_APPLICABLE))('the official suite for servers of %s', (revision, reasons) => {
  it(
    'finds nothing but what does not apply',
    async () => {
      const { failures } = await runSuite(['server', '--url', proxy.url, '--requirements', revision]);
      const expected = [...reasons.fixtures, ...reasons.features];
      expect(failures.size, 'the suite has run').toBeGreaterThan(10);
      expect(new Map([...failures].filter(([check]) => !expected.includes(check)))).toEqual(new Map());
      expect(expected.filter((check) => !failures.has(check))).toEqual([]);
    },
    TIMEOUT_MS,
  );
});
