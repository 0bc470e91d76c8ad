import type { Command } from 'commander';

import { collect, command, part, withJson } from './command.js';

const inTheApp = () => import('../approvals/in-the-app.js');

export function addApprovalCommands(program: Command): void {
  const group = program.command('approvals').description('look at what people are asked to approve');
  command(group, 'list', 'open the page that lists them', part(inTheApp, 'list'));
  withJson(command(group, 'view <request>', 'show a request', () => import('../approvals/view-approval.js')));
  withJson(
    command(group, 'actions', 'list what can be asked for', () => import('../approvals/list-actions.js')),
  );
  command(group, 'approve <request>', 'open the page where a person decides', part(inTheApp, 'approve'));
  command(group, 'deny <request>', 'open the page where a person decides', part(inTheApp, 'deny'));
  withJson(
    command(
      program,
      'request <action>',
      'ask a person to approve something, and wait',
      () => import('../approvals/request.js'),
    ),
  )
    .option('-f, --field <name=value>', 'a field of its input', collect)
    .option('-F, --json-field <name=json>', 'the same with a value that is JSON', collect)
    .option('--reason <text>', 'why it is needed')
    .option('--detach', 'do not wait')
    .option('--env-file <path>', 'write the secret into this file instead of printing it');
  command(
    program,
    'redeem <request>',
    'get the secret of an approved request, once',
    () => import('../approvals/redeem.js'),
  ).option('--env-file <path>', 'write it into this file instead of printing it');
}
