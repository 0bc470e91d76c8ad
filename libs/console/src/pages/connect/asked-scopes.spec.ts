import { expect, it } from 'vitest';

import { askedScopes, tickedAtFirst } from './asked-scopes.js';

it('says in words what an app asks for', () => {
  expect(askedScopes(['runs:write', 'scripts:read', 'tickets:read'])).toEqual([
    { scope: 'scripts:read', words: 'Scripts: see scripts and versions' },
    { scope: 'runs:write', words: 'Runs: start and cancel runs' },
    { scope: 'tickets:read', words: 'Tickets: see them' },
  ]);
});

it('leaves it to the person to tick what opens doors for others', () => {
  expect(tickedAtFirst(['runs:write', 'workspace.secrets:read', 'workspace.secrets:write'])).toEqual([
    'runs:write',
    'workspace.secrets:read',
  ]);
});
