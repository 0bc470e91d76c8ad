import { expect, it } from 'vitest';

import { soundCommands } from './sound-commands.js';

const command = {
  group: 'tickets',
  name: 'list',
  summary: 'list the tickets',
  method: 'GET',
  path: '/v1/tickets/{id}',
  arguments: [{ name: 'id', description: 'which', type: 'string', choices: null, required: true }],
  options: [],
  columns: ['id', 'owner.name'],
  list: false,
};
const [argument] = command.arguments;
const sound = (items: unknown) => soundCommands(items, ['profile', 'url']);

it('takes commands as a service lists them', () => {
  expect(sound([command, { ...command, columns: null }])).toHaveLength(2);
  const fields = { noReply: true, notes: 'none', no: 1 };
  expect(sound([{ ...command, fields }])).toHaveLength(1);
});

it.each<[unknown]>([
  ['nonsense'],
  [null],
  [[null, 'list', 1]],
  [[{ ...command, group: '--help' }]],
  [[{ ...command, name: '$(reboot)' }]],
  [[{ ...command, name: 'a b' }]],
  [[{ ...command, method: 'CONNECT' }]],
  [[{ ...command, path: 'https://evil.example/v1/x' }]],
  [[{ ...command, path: '//evil.example/v1' }]],
  [[{ ...command, path: '/v1/../oauth/token' }]],
  [[{ ...command, path: '/oauth/token' }]],
  [[{ ...command, path: '/v1/tickets?token={id}' }]],
  [[{ ...command, columns: ['\u001b[2J'] }]],
  [[{ ...command, options: [{ ...argument, name: 'url' }] }]],
  [[{ ...command, options: [{ ...argument, name: 'noProfile' }] }]],
  [[{ ...command, options: [{ ...argument, type: 'function' }] }]],
  [[{ ...command, options: undefined }]],
  [[{ ...command, fields: { 'a b': 1 } }]],
  [[{ ...command, fields: { state: {} } }]],
])('makes nothing of %j', (items) => {
  expect(sound(items)).toEqual([]);
});
