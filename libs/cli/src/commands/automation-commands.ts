import type { Command } from 'commander';

import { collect, command, part, withJson, withLimit } from './command.js';

const schedules = () => import('../automations/schedules.js');
const triggers = () => import('../automations/triggers.js');
const hooks = () => import('../automations/hooks.js');

export function addScheduleCommands(group: Command): void {
  withJson(command(group, 'view <schedule>', 'show a schedule', part(schedules, 'view')));
  const create = command(group, 'create <script>', 'run a script at certain times', part(schedules, 'create'))
    .option('--cron <expression>', "when, such as '0 3 * * *' or @hourly")
    .option('--timezone <name>', 'of which place, such as Europe/Berlin; UTC by default')
    .option('--name <text>', 'what it is called');
  withJson(withInputs(create));
  command(group, 'pause <schedule>', 'let it rest', part(schedules, 'pause'));
  command(group, 'resume <schedule>', 'let it go on', part(schedules, 'resume'));
  command(group, 'delete <schedule>', 'delete it', part(schedules, 'remove'));
}

export function addTriggerCommands(group: Command): void {
  withJson(command(group, 'view <trigger>', 'show a trigger', part(triggers, 'view')));
  const create = command(group, 'create <script>', 'run a script at events', part(triggers, 'create'))
    .option('--event <type>', 'at which, such as run.failed')
    .option('--filter <path=value>', 'only where a field of the event has this value', collect)
    .option('--name <text>', 'what it is called');
  withJson(withInputs(create));
  command(group, 'pause <trigger>', 'let it rest', part(triggers, 'pause'));
  command(group, 'resume <trigger>', 'let it go on', part(triggers, 'resume'));
  command(group, 'delete <trigger>', 'delete it', part(triggers, 'remove'));
}

export function addHookCommands(group: Command): void {
  withJson(command(group, 'view <hook>', 'show a hook', part(hooks, 'view')));
  const create = command(
    group,
    'create <script>',
    'make an address that starts a script',
    part(hooks, 'create'),
  )
    .option(
      '--verify <scheme>',
      'who sends: github, gitlab, stripe, slack, shopify, standard-webhooks, hmac, token, …',
    )
    .option('--secret <name>', 'the secret of the workspace that the sender has as well')
    .option('--with <field=value>', 'what else the scheme takes, such as header=x-signature', collect)
    .option('--filter <path=value>', 'only where a field of the request has this value', collect)
    .option('--keep <header>', 'keep this header as well', collect)
    .option('--respond', "answer with the script's output")
    .option('--name <text>', 'what it is called');
  withJson(withInputs(create));
  withJson(command(group, 'rotate <hook>', 'give it another address', part(hooks, 'rotate')));
  withJson(withLimit(command(group, 'receipts <hook>', 'list what came in', part(hooks, 'receipts'))));
  withJson(
    command(group, 'receipt <hook> <receipt>', 'show what came in, with its body', part(hooks, 'receipt')),
  );
  withJson(
    command(group, 'replay <hook> <receipt>', 'run what came in once more', part(hooks, 'replay')).option(
      '--at <version>',
      'test this version with it',
    ),
  );
  command(group, 'pause <hook>', 'let it rest', part(hooks, 'pause'));
  command(group, 'resume <hook>', 'let it go on', part(hooks, 'resume'));
  command(group, 'delete <hook>', 'delete it', part(hooks, 'remove'));
}

const withInputs = (made: Command): Command =>
  made
    .option('-f, --field <name=value>', 'an input of its runs', collect)
    .option('-F, --json-field <name=json>', 'the same with a value that is JSON', collect);
