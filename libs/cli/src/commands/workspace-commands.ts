import type { Command } from 'commander';

import { JSON_OPTION, type Load, collect, command } from './command.js';

/** What can be listed, and in which group. */
const LISTS = [
  ['scripts', 'scripts', 'look at scripts'],
  ['secrets', 'secrets', 'set what scripts use and never see'],
  ['env', 'environments', 'look at environments'],
  ['schedules', 'schedules', 'look at when scripts run by themselves'],
  ['triggers', 'triggers', 'look at the events that scripts run at'],
  ['members', 'members', 'look at who is in the workspace'],
  ['audit', 'audit', 'look at what was changed, and by whom'],
] as const;

export function addWorkspaceCommands(program: Command): void {
  const groups = new Map<string, Command>();
  for (const [name, list, description] of LISTS) {
    const group = program.command(name).description(description);
    groups.set(name, group);
    const load: Load = async () => ({ default: (await import('../lists/lists.js'))[list] });
    command(group, 'list', `list them, newest first`, load)
      .option('--limit <number>', 'how many at most', '25')
      .option(...JSON_OPTION);
  }
  addSecretCommands(groups.get('secrets')!);
  addApprovalCommands(program);
}

function addSecretCommands(secrets: Command): void {
  command(
    secrets,
    'set <name>',
    'set a value, which is typed or piped in',
    () => import('../secrets/set-secret.js'),
  )
    .option('--host <name>', 'a host that it may be sent to', collect)
    .option('--allow-env', 'let scripts read it as an environment variable')
    .option('--no-allow-env', 'let no script read it');
  command(secrets, 'delete <name>', 'delete a value', () => import('../secrets/delete-secret.js')).option(
    '--all-environments',
    'in every environment',
  );
}

function addApprovalCommands(program: Command): void {
  const approvals = program.command('approvals').description('look at what people are asked to approve');
  command(
    approvals,
    'view <request>',
    'show a request',
    () => import('../approvals/view-approval.js'),
  ).option(...JSON_OPTION);
  command(
    approvals,
    'actions',
    'list what can be asked for',
    () => import('../approvals/list-actions.js'),
  ).option(...JSON_OPTION);
  command(
    program,
    'request <action>',
    'ask a person to approve something, and wait',
    () => import('../approvals/request.js'),
  )
    .option('-f, --field <name=value>', 'a field of its input', collect)
    .option('-F, --json-field <name=json>', 'the same with a value that is JSON', collect)
    .option('--reason <text>', 'why it is needed')
    .option('--detach', 'do not wait')
    .option('--env-file <path>', 'write the secret into this file instead of printing it')
    .option(...JSON_OPTION);
  command(
    program,
    'redeem <request>',
    'get the secret of an approved request, once',
    () => import('../approvals/redeem.js'),
  ).option('--env-file <path>', 'write it into this file instead of printing it');
}
