import type { Command } from 'commander';

import { command, part, withJson } from './command.js';

const members = () => import('../people/members.js');
const keys = () => import('../keys/in-the-app.js');

export function addMemberCommands(group: Command): void {
  withJson(command(group, 'invite <email>', 'ask somebody in', part(members, 'invite'))).option(
    '--role <role>',
    'guest, member, admin or owner',
  );
  command(group, 'role <email> <role>', 'give somebody another role', part(members, 'changeRole'));
  command(group, 'remove <email>', 'take somebody out of the workspace', part(members, 'remove')).option(
    '--yes',
    'do not ask',
  );
}

export function addKeyCommands(program: Command): void {
  const group = program.command('keys').description('ask for API keys, which people manage in the app');
  command(group, 'list', 'open the page that lists them', part(keys, 'list'));
  withJson(
    command(
      group,
      'create <name>',
      'ask a person for a key, wait, and print it',
      () => import('../keys/create-key.js'),
    ),
  )
    .option('--bound-to <environment>', 'one that acts in this environment only')
    .option('--reason <text>', 'why it is needed')
    .option('--detach', 'do not wait')
    .option('--env-file <path>', 'write it into this file instead of printing it');
  command(group, 'revoke [key]', 'open the page where keys are revoked', part(keys, 'revoke'));
}
