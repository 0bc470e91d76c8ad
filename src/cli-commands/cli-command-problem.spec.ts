import { describe, expect, it } from 'vitest';

import { cliCommandProblem } from './cli-command-problem.js';

const title = { name: 'title', description: 'what it is called' };
const command = { name: 'rename', summary: 'rename a ticket', route: 'PATCH /v1/tickets/{id}' };
const id = { name: 'id', description: 'which ticket' };

describe('a command of an extension', () => {
  it.each<[object]>([
    [{ ...command, arguments: [id, title] }],
    [{ ...command, arguments: [id, { ...title, required: false }] }],
    [{ ...command, options: [{ ...id, required: true }], columns: ['id', 'owner.name'] }],
    [{ ...command, route: 'GET /v1/tickets', columns: ['id'], list: true }],
    [{ ...command, arguments: [id], fields: { state: 'closed', weight: 1.5, quiet: true, noReply: true } }],
  ])('is sound as %j', (sound) => {
    expect(cliCommandProblem(sound)).toBeNull();
  });

  it.each<[object, RegExp]>([
    [{ name: 'Re name' }, /needs a name/],
    [{ name: 'help' }, /needs a name/],
    [{ summary: 'a\nb' }, /needs a summary/],
    [{ route: '/v1/tickets' }, /needs a route/],
    [{ route: 'GET https://evil.example' }, /needs a route/],
    [
      { route: 'GET /v1/tickets/Closed' },
      /names the path \/v1\/tickets\/Closed, which no command line takes/,
    ],
    [{ route: 'GET /v1/tickets/v2.json' }, /which no command line takes/],
    [{ route: 'GET /v1/tickets/' }, /which no command line takes/],
    [{ arguments: 'id' }, /no lists/],
    [{ arguments: [title] }, /no required parameter "id"/],
    [{ options: [id] }, /no required parameter "id"/],
    [{ arguments: [id, id] }, /"id" twice/],
    [
      { arguments: [id, { ...title, required: false }, { ...title, name: 'more' }] },
      /behind one that is not/,
    ],
    [{ arguments: [id, { ...title, type: 'boolean' }] }, /make it an option/],
    [{ arguments: [id], options: [{ ...title, name: 'url' }] }, /"url" whose name every command has/],
    [{ arguments: [id], options: [{ ...title, name: 'noTitle' }] }, /begins with "no"/],
    [{ arguments: [id], options: [{ ...title, name: '__proto__' }] }, /whose name is none/],
    [{ arguments: [id], options: [{ ...title, choices: [] }] }, /choices are no texts/],
    [{ arguments: [id], options: [{ ...title, type: 'date' }] }, /a type that there is not/],
    [{ arguments: [id], fields: { state: null } }, /a field "state" that is no/],
    [{ arguments: [id], fields: { 'a b': 1 } }, /a field "a b" that is no/],
    [{ arguments: [id], fields: { id: 'x' } }, /"id" as a field and as a parameter/],
    [{ arguments: [id], columns: ['a b'] }, /a column "a b"/],
    [{ arguments: [id], columns: ['id'], list: true }, /a list, which takes GET/],
  ])('is refused with %j', (change, problem) => {
    expect(cliCommandProblem({ ...command, ...change })).toMatch(problem);
  });
});
