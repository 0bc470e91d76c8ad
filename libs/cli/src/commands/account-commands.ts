import type { Command } from 'commander';

import { collect, command, withJson } from './command.js';

export function addAccountCommands(program: Command): void {
  command(program, 'login', 'sign in, in a browser or with a token', () => import('../account/login.js'))
    .option('--token', 'read a token from standard input, or ask for it')
    .option('--scope <name>', 'ask for this scope besides the usual ones', collect)
    .option('--no-browser', 'do not open a browser');
  command(program, 'logout', 'sign out, which ends the token', () => import('../account/logout.js'));
  withJson(
    command(program, 'whoami', 'show who you are and where you act', () => import('../account/whoami.js')),
  );
  command(
    program,
    'use [workspace]',
    'act in another workspace, or with --env in another environment',
    () => import('../account/use.js'),
  );
}
