import type { Command } from 'commander';

import { collect, command, part, withJson, withLimit, withPeriod } from './command.js';

const webhooks = () => import('../webhooks/webhooks.js');

export function addWebhookCommands(group: Command): void {
  withJson(command(group, 'view <endpoint>', 'show an endpoint', part(webhooks, 'view')));
  withJson(command(group, 'create <address>', 'send events to an address', part(webhooks, 'create')))
    .option('--event <type>', 'only events of this type', collect)
    .option('--description <text>', 'what it is for');
  command(group, 'enable <endpoint>', 'send to it again', part(webhooks, 'enable'));
  withJson(
    command(group, 'rotate-secret <endpoint>', 'sign with a new secret', part(webhooks, 'rotateSecret')),
  );
  withJson(command(group, 'test <endpoint>', 'send a ping', part(webhooks, 'test')));
  withJson(
    withPeriod(
      withLimit(
        command(
          group,
          'deliveries <endpoint>',
          'list what was sent, newest first',
          part(webhooks, 'deliveries'),
        ),
      ),
    ),
  )
    .option('--status <status>', 'only those that are pending, delivered or failed')
    .option('--event <type>', 'only of events of this type');
  withJson(
    command(group, 'request <endpoint> <delivery>', 'show what was sent', part(webhooks, 'request')),
  ).option('--attempt <number>', 'at this attempt; left out, at the last one');
  withJson(
    command(group, 'redeliver <endpoint> <delivery>', 'send an event again', part(webhooks, 'redeliver')),
  );
  command(group, 'delete <endpoint>', 'delete it with its history', part(webhooks, 'remove')).option(
    '--yes',
    'do not ask',
  );
}
