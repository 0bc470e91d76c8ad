import type { Command } from 'commander';

import { collect, command, part, withJson, withLimit } from './command.js';

const alerts = () => import('../alerts/alerts.js');

const CHANNEL =
  'mail, slack, mattermost, teams, ntfy, pagerduty or webhook, whose address is typed or piped in';

const settings = (made: Command): Command =>
  made
    .option('--to <address>', 'a member who gets the mail; without it owners and admins', collect)
    .option('--on <condition>', 'failed, firstFailure, recovered, schedule.missed, …', collect)
    .option('--slow <seconds>', 'runs that take longer')
    .option('--slow-factor <number>', 'runs that take so many times what 95 % of them took')
    .option('--not-succeeded-for <time>', 'no run has succeeded for so long, such as 26h')
    .option('--group <seconds>', 'what happens within as many seconds after a message is one message')
    .option('--quiet <hours>', "when messages wait, such as '22:00-07:00 Europe/Berlin'");

export function addAlertCommands(group: Command): void {
  withJson(command(group, 'view <alert>', 'show an alert rule', part(alerts, 'view')));
  const create = withJson(
    command(group, 'create <name>', 'tell people of what goes wrong', part(alerts, 'create')),
  ).requiredOption('--channel <name>', CHANNEL);
  settings(create)
    .option('--script <slug>', 'only of this script')
    .option('--schedule <id>', 'only of what this schedule starts');
  const update = withJson(
    command(
      group,
      'update <alert>',
      'change what is named; none takes it away, as in --quiet none',
      part(alerts, 'update'),
    ),
  )
    .option('--name <name>', 'another name')
    .option('--channel <name>', CHANNEL);
  settings(update);
  command(group, 'enable <alert>', 'switch it on', part(alerts, 'enable'));
  command(group, 'disable <alert>', 'switch it off', part(alerts, 'disable'));
  command(group, 'test <alert>', 'send a test', part(alerts, 'test'));
  withJson(
    withLimit(
      command(group, 'messages <alert>', 'list what was told, newest first', part(alerts, 'messages')),
    ),
  );
  command(group, 'delete <alert>', 'delete it with its messages', part(alerts, 'remove'));
}
