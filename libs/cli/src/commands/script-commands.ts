import type { Command } from 'commander';

import { command, part, withJson, withLimit } from './command.js';

const scripts = () => import('../scripts/scripts.js');

export function addScriptCommands(group: Command): void {
  withJson(command(group, 'view <script>', 'show a script', part(scripts, 'view')));
  withJson(
    withLimit(
      command(group, 'versions <script>', 'list its versions, newest first', part(scripts, 'versions')),
    ),
  );
  command(group, 'publish <script>', 'let runs use a version', part(scripts, 'publish')).option(
    '--version <number>',
    'another than the newest, such as the one before',
  );
  command(group, 'unpublish <script>', 'let nobody run it', part(scripts, 'unpublish'));
  command(group, 'archive <script>', 'put it away with its history', part(scripts, 'archive'));
  command(group, 'restore <script>', 'bring an archived one back', part(scripts, 'restore'));
}
