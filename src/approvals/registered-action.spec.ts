import { describe, expect, it } from 'vitest';

import type { ApprovalActionProvider } from './approval-action.js';
import { Threads } from '../core/threads/index.js';
import { SchemaChecks } from '../core/schema/index.js';
import { assertDeclared, RegisteredAction, registryOf } from './registered-action.js';

function action(over: Partial<ApprovalActionProvider> = {}): ApprovalActionProvider {
  return {
    id: 'thing.do',
    title: 'Do the thing',
    approverRoles: ['owner', 'admin'],
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1 },
        loud: { type: 'boolean', default: false },
        place: {
          type: 'object',
          properties: { city: { type: 'string' } },
          required: ['city'],
          additionalProperties: false,
        },
      },
      required: ['name'],
      additionalProperties: false,
    },
    summarise: () => 'Do it.',
    perform: () => Promise.resolve({ result: {} }),
    ...over,
  };
}

const properties = { place: { type: 'object', properties: {} } };

describe('an action that is not declared as it must be stops the start', () => {
  it.each<[string, Partial<ApprovalActionProvider>, RegExp]>([
    ['an id without a dot', { id: 'thing' }, /dotted/],
    ['no title', { title: ' ' }, /title/],
    ['nobody to approve', { approverRoles: [] }, /approverRoles/],
    ['more than a day to wait', { lifetimeMinutes: 1441 }, /lifetimeMinutes from 1 to 1440/],
    ['guests to approve', { approverRoles: ['owner', 'admin', 'member', 'guest'] }, /approverRoles/],
    ['admins without owners', { approverRoles: ['admin'] }, /approverRoles/],
    ['a gap between the roles', { approverRoles: ['owner', 'member'] }, /approverRoles/],
    ['a schema that is none', { inputSchema: { type: 'objekt' } }, /no valid inputSchema: inputSchema\.type/],
    ['a schema of something else', { inputSchema: { type: 'string' } }, /inputSchema/],
    ['an open schema', { inputSchema: { type: 'object' } }, /open inputSchema/],
    [
      'an open schema within',
      { inputSchema: { type: 'object', properties, additionalProperties: false } },
      /inputSchema\.properties\.place needs additionalProperties: false/,
    ],
  ])('%s', (_, over, message) => {
    expect(() => assertDeclared(action(over))).toThrow(message);
  });

  it('and one that is does not', () => {
    expect(() => assertDeclared(action())).not.toThrow();
  });

  it('one id twice', () => {
    expect(() => registryOf([action(), action()])).toThrow('Two approval actions have the id "thing.do"');
    const one = action();
    expect([...registryOf([one, action({ id: 'a.b' }), one]).keys()]).toEqual(['a.b', 'thing.do']);
  });
});

describe('validInput', () => {
  const registered = new RegisteredAction(action());
  const checks = new SchemaChecks(new Threads());
  const valid = (input: Record<string, unknown>) => registered.validInput(input, checks, 'wks_1');
  const problems = (input: Record<string, unknown>) =>
    valid(input).catch((error: { details: unknown }) => error.details);

  it('fills in defaults, and leaves what was sent as it is', async () => {
    const input = { name: 'a' };
    expect(await valid(input)).toEqual({ name: 'a', loud: false });
    expect(input).toEqual({ name: 'a' });
  });

  it('names each wrong place', async () => {
    expect(await problems({})).toEqual([{ path: 'input.name', message: 'is required' }]);
    expect(await problems({ name: 'a', place: {}, other: 1 })).toEqual(
      expect.arrayContaining([
        { path: 'input.place.city', message: 'is required' },
        expect.objectContaining({ path: 'input.other' }),
      ]),
    );
    expect(await problems({ name: 1 })).toEqual([{ path: 'input.name', message: 'must be string' }]);
  });

  it('refuses control characters, and stores letters of all kinds', async () => {
    expect(await problems({ name: 'a\u0007' })).toEqual([
      { path: 'input.name', message: expect.stringContaining('control characters') },
    ]);
    expect(await problems({ name: 'a', place: { city: '\u001b[31m' } })).toMatchObject([
      { path: 'input.place.city' },
    ]);
    const name = `דנה\u200b${'a'.repeat(500)}\u202e`;
    expect((await valid({ name }))['name']).toBe(name);
  });
});
