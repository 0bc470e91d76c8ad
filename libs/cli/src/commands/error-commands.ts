import type { Command } from 'commander';

import { command, part, withJson, withLimit } from './command.js';

const errors = () => import('../errors/errors.js');

export function addErrorCommands(program: Command): void {
  const group = program.command('errors').description('what scripts fail of');
  withJson(
    withLimit(command(group, 'list', 'list them, those first that were seen last', part(errors, 'list'))),
  )
    .option('--script <slug>', 'only of this script')
    .option('--status <status>', 'only those that are open, resolved or ignored');
  withJson(command(group, 'show <error>', 'show an error', part(errors, 'show')));
  withJson(
    command(
      group,
      'resolve <error>',
      'say that it is resolved, until it comes again',
      part(errors, 'resolve'),
    ),
  );
  withJson(command(group, 'ignore <error>', 'be told of it no more', part(errors, 'ignore'))).option(
    '--until <time>',
    'only until then: a date, or in how long, such as 7d',
  );
  withJson(command(group, 'reopen <error>', 'open it again', part(errors, 'reopen')));
}
