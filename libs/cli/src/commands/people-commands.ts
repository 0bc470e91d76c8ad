import type { Command } from 'commander';

import { collect, command, part, withJson } from './command.js';

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
    .option('--scope <name>', 'one that may do this only; `mcp` opens /mcp (repeat it for more)', collect)
    .option('--expires <time>', 'when it ends, such as 90d or 2027-01-31')
    .option('--reason <text>', 'why it is needed')
    .option('--detach', 'do not wait')
    .option('--env-file <path>', 'write it into this file instead of printing it');
  command(group, 'revoke [key]', 'open the page where keys are revoked', part(keys, 'revoke'));
}

export function addTokenCommands(program: Command): void {
  const group = program
    .command('tokens')
    .description('your personal access tokens, which are made in the app');
  command(group, 'list', 'open the page that lists them', part(keys, 'listTokens'));
  command(group, 'create', 'open the page that makes one', part(keys, 'createToken'));
  command(group, 'revoke [token]', 'open the page where they are revoked', part(keys, 'revokeToken'));
}
