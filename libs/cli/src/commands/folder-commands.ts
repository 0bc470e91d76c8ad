import { type Command, Option } from 'commander';

import { collect, command, withJson } from './command.js';

export function addFolderCommands(program: Command): void {
  command(
    program,
    'init [folder]',
    'begin a script in a folder, or an extension of Gatehouse',
    () => import('../folder/init.js'),
  )
    .addOption(new Option('-t, --template <name>', 'python, node or shell').default('python'))
    .option('--extension <name>', 'an extension of this name, with its test');
  command(
    program,
    'push [folders...]',
    'make a version of a folder, if something has changed',
    () => import('../folder/push.js'),
  )
    .option('--publish', 'let runs use it')
    .option('--dry-run', 'only say what would change');
  command(
    program,
    'pull <script> [folder]',
    'get the folder of a script',
    () => import('../folder/pull.js'),
  ).option('--version <number>', 'another than the published one');
  withJson(
    command(
      program,
      'test [inputs...]',
      'run this folder as it stands, with --NAME VALUE for each input',
      () => import('../folder/test-folder.js'),
    ),
  )
    .option('--wait', 'wait for a person, where one has to approve it')
    .option('--input <name=value>', 'an input that is called like an option', collect)
    .passThroughOptions()
    .allowUnknownOption();
}
