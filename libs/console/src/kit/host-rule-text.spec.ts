import { expect, it } from 'vitest';

import { hostRuleText } from './host-rule-text.js';

const HOST = 'db.example.com:5432';
const rule = { host: HOST, methods: null, paths: null, ask: 'agents' } as const;

it('says which of the requests to a host a person is asked about, and of the statements to a database', () => {
  expect(hostRuleText(HOST, [rule])).toBe(
    'only requests with the approval of a person for each where an agent has started the run',
  );
  const signsIn = { database: null, role: null, readOnly: false, statementTimeout: null, maxConnections: 5 };
  expect(hostRuleText(HOST, [{ ...rule, protocol: 'postgres', postgres: signsIn }])).toBe(
    'PostgreSQL, to read and write with the approval of a person for each statement that may write where an agent has started the run, 5 connections at most',
  );
});

it('says what requests get in a plan, with nothing in it that is not seen', () => {
  const plan = { status: 201, body: 'a\n`b`\u00a0c "d"', contentType: 'text/plain' };
  const gone = { status: 204, body: null, contentType: null };
  expect(
    hostRuleText(HOST, [
      { ...rule, methods: ['POST'], plan },
      { host: HOST, methods: null, paths: ['/x'], plan: gone },
    ]),
  ).toBe(
    'only POST with the approval of a person for each where an agent has started the run (in a plan answered 201 with "a\\n\\u{60}b\\u{60}\\u{a0}c \\"d\\"" as text/plain), or requests to /x (in a plan answered 204)',
  );
});
