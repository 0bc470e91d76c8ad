import { expect, it } from 'vitest';

import { insufficientScope, missingScope, signInChallenge } from './challenge.js';
import { DEFAULT_SCOPES } from './default-scopes.js';

const METADATA = 'https://gate.example/.well-known/oauth-protected-resource/mcp';

it('says where to sign in, and that a token is no good', () => {
  const usual = `scope="${DEFAULT_SCOPES.join(' ')}", resource_metadata="${METADATA}"`;
  expect(signInChallenge(METADATA, false)).toBe(`Bearer ${usual}`);
  expect(signInChallenge(METADATA, true)).toBe(`Bearer error="invalid_token", ${usual}`);
});

it('lets a client ask for more than it has', () => {
  const refusal = insufficientScope(
    { scopes: new Set(['runs:read']) },
    ['runs:read', 'runs:write'],
    METADATA,
  );
  expect(refusal.status).toBe(403);
  expect(refusal.message).toBe('The credential was not granted the scope runs:write.');
  expect(refusal.headers['www-authenticate']).toBe(
    `Bearer error="insufficient_scope", scope="runs:read runs:write", resource_metadata="${METADATA}"`,
  );
});

it('names what a route needs', () => {
  const refusal = missingScope('runs:write');
  expect([refusal.status, refusal.code]).toEqual([403, 'forbidden']);
  expect(refusal.headers).toEqual({
    'www-authenticate': 'Bearer error="insufficient_scope", scope="runs:write"',
  });
});
