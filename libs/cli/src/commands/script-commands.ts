import type { Command } from 'commander';

import { collect, command, part, withJson, withLimit } from './command.js';

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
  command(group, 'set <script>', 'change what a script is like', () => import('../scripts/set-script.js'))
    .option('--name <text>', 'what it is called')
    .option('--description <text>', 'what it does')
    .option('--access <who>', 'who sees it: workspace or teams')
    .option('--team <name>', 'a team that it is shared with, in place of those before', collect)
    .option('--approval <policy>', 'whose runs a person approves: none, agents or always')
    .option('--queue <name>', 'the queue whose places its runs share; empty: none')
    .option('--keep-runs <days>', 'delete its runs that long after their end; empty: as the operator says')
    .option('--tag <tag>', 'a tag, in place of those before', collect);
  command(group, 'unpublish <script>', 'let nobody run it', part(scripts, 'unpublish'));
  command(group, 'archive <script>', 'put it away with its history', part(scripts, 'archive'));
  command(group, 'restore <script>', 'bring an archived one back', part(scripts, 'restore'));
}
