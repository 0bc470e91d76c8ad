import type { Command } from 'commander';

import { collect, command, withJson } from './command.js';

export function addEventCommands(program: Command): void {
  command(
    program,
    'listen',
    'print what happens in the workspace, or send it to an address of this machine',
    () => import('../events/listen.js'),
  )
    .option('--forward <address>', 'where to, as signed deliveries (GATEHOUSE_WEBHOOK_SECRET, or a new one)')
    .option('--event <type>', 'only events of this type', collect)
    .option('--resend <id>', 'send this event of the last hour again, and end', collect);
  withJson(
    command(
      program,
      'trigger <event>',
      'make up an event: for gatehouse listen, for a receiver, or for a trigger',
      () => import('../events/trigger.js'),
    ),
  )
    .option('--forward <address>', 'send it there, signed with GATEHOUSE_WEBHOOK_SECRET')
    .option('--test <trigger>', 'say whether this trigger would fire');
}
