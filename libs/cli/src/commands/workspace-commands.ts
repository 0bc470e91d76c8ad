import { type Command, Option } from 'commander';

import { addAlertCommands } from './alert-commands.js';
import { addApprovalCommands } from './approval-commands.js';
import { addHookCommands, addScheduleCommands, addTriggerCommands } from './automation-commands.js';
import { collect, command, part, withFormat, withJson, withLimit, withPeriod } from './command.js';
import { addErrorCommands } from './error-commands.js';
import { addKeyCommands, addMemberCommands, addTokenCommands } from './people-commands.js';
import { addScriptCommands } from './script-commands.js';
import { addWebhookCommands } from './webhook-commands.js';

const lists = () => import('../lists/lists.js');
const environments = () => import('../environments/environments.js');
const authorities = () => import('../authorities/authorities.js');
const queues = () => import('../queues/queues.js');

type ListName = keyof Awaited<ReturnType<typeof lists>>;

export function addWorkspaceCommands(program: Command): void {
  const scripts = group(program, 'scripts', 'look at scripts, and publish them', 'scripts');
  addScriptCommands(scripts);
  addSecretCommands(group(program, 'secrets', 'set what scripts use and never see', 'secrets'));
  addAuthorityCommands(
    program.command('authorities').description('by what certificates of hosts are checked'),
  );
  addEnvironmentCommands(group(program, 'env', 'where runs happen', 'environments'));
  addQueueCommands(group(program, 'queues', 'places that the runs of scripts share', 'queues'));
  const schedules = group(program, 'schedules', 'when scripts run by themselves', 'schedules');
  addScheduleCommands(schedules);
  const triggers = group(program, 'triggers', 'the events that scripts run at', 'triggers');
  addTriggerCommands(triggers);
  const hooks = group(program, 'hooks', 'the addresses that start scripts', 'hooks');
  addHookCommands(hooks);
  for (const one of [schedules, triggers, hooks])
    listOf(one).option('--script <slug>', 'only of this script');
  addErrorCommands(program);
  addAlertCommands(group(program, 'alerts', 'who is told of what goes wrong', 'alerts'));
  addWebhookCommands(group(program, 'webhooks', 'where events are sent to', 'webhooks'));
  addMemberCommands(group(program, 'members', 'who is in the workspace', 'members'));
  group(program, 'teams', 'groups of members', 'teams');
  const audit = group(program, 'audit', 'what was changed, and by whom', 'audit');
  withFormat(
    withPeriod(
      command(
        audit,
        'export',
        'print all of it, newest first, 100000 entries at most',
        () => import('../lists/export-audit.js'),
      ).option('--target <id>', 'only what was done to this, such as a script'),
    ),
  );
  withJson(
    command(
      program,
      'usage',
      'what the workspace has used in this period',
      () => import('../lists/usage.js'),
    ),
  );
  addKeyCommands(program);
  addTokenCommands(program);
  addApprovalCommands(program);
}

/** A group of commands, of which `list` is one. */
function group(program: Command, name: string, description: string, list: ListName): Command {
  const made = program.command(name).description(description);
  withJson(withLimit(command(made, 'list', 'list them, newest first', part(lists, list))));
  return made;
}

const listOf = (made: Command): Command => made.commands.find((one) => one.name() === 'list')!;

function addSecretCommands(secrets: Command): void {
  command(
    secrets,
    'set <name>',
    'set a value, which is typed or piped in',
    () => import('../secrets/set-secret.js'),
  )
    .option('--host <name>', 'a host that it may be sent to', collect)
    .addOption(
      new Option('--kind <kind>', 'what a new one is: for aws and postgres, the value is JSON').choices([
        ...['text', 'aws', 'postgres'],
      ]),
    )
    .option('--source <name>', 'where the value is instead, such as vault or aws')
    .option('--reference <text>', 'which value of the source it is, such as payments/stripe#key')
    .option('--allow-env', 'let scripts read it as an environment variable')
    .option('--no-allow-env', 'let no script read it');
  command(secrets, 'delete <name>', 'delete a value', () => import('../secrets/delete-secret.js')).option(
    '--all-environments',
    'in every environment',
  );
}

function addAuthorityCommands(made: Command): void {
  withJson(command(made, 'list', 'list the hosts that have their own', part(authorities, 'list')));
  command(made, 'set <host>', 'set those of a host, which are piped in as PEM', part(authorities, 'set'));
  command(made, 'delete <host>', 'delete those of a host', part(authorities, 'remove'));
}

function addEnvironmentCommands(env: Command): void {
  const policies = (made: Command): Command =>
    withJson(made)
      .option('--approval <policy>', 'whose runs a person approves: none, agents or always')
      .option('--agents', 'let agents run scripts in it')
      .option('--no-agents', 'let no agent run scripts in it')
      .option('--runs-on <tags>', 'the tags that a worker must carry, separated by commas; "" for none');
  withJson(command(env, 'view <name>', 'show an environment', part(environments, 'view')));
  policies(command(env, 'create <name>', 'make an environment', part(environments, 'create')));
  policies(command(env, 'update <name>', 'change an environment', part(environments, 'update')))
    .option('--rename <name>', 'call it this')
    .option('--default', 'let requests that name none act in it');
  command(env, 'delete <name>', 'delete it with its values of secrets', part(environments, 'remove')).option(
    '--yes',
    'do not ask',
  );
}

function addQueueCommands(group: Command): void {
  const limited = (made: Command): Command =>
    withJson(made).option('--limit <count>', 'how many runs go on at once: 1 to 1000, or none');
  withJson(command(group, 'view <name>', 'show a queue and its scripts', part(queues, 'view')));
  limited(command(group, 'create <name>', 'make a queue', part(queues, 'create'))).option(
    '--paused',
    'let no run of it begin yet',
  );
  limited(command(group, 'update <name>', 'give it another limit', part(queues, 'update')));
  withJson(command(group, 'pause <name>', 'let no run of it begin', part(queues, 'pause')));
  withJson(command(group, 'resume <name>', 'let its runs begin again', part(queues, 'resume')));
  command(group, 'delete <name>', 'delete one without scripts', part(queues, 'remove'));
}
