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
    .option('-m, --message <text>', 'what is new, for the list of versions')
    .option('--force', 'also where somebody made a version that this folder does not know')
    .option('--dry-run', 'only say what would change');
  command(
    program,
    'pull [script] [folder]',
    'get the folder of a script, or what has changed since',
    () => import('../folder/pull.js'),
  ).option('--version <number>', 'another than the newest');
  withJson(
    command(
      program,
      'status [folder]',
      'show what a folder is based on, and what has changed',
      () => import('../folder/status.js'),
    ),
  );
  command(
    program,
    'diff [folder]',
    'show how a folder differs from the version that it is based on',
    () => import('../folder/diff.js'),
  ).option('--version <number>', 'from another one');
  command(
    program,
    'dev [inputs...]',
    'try this folder at each save, with --NAME VALUE for each input',
    () => import('../folder/dev.js'),
  )
    .option('--input <name=value>', 'an input that is called like an option', collect)
    .passThroughOptions()
    .allowUnknownOption();
  withJson(
    command(
      program,
      'test [inputs...]',
      'try this folder as it stands, with --NAME VALUE for each input',
      () => import('../folder/test-folder.js'),
    ),
  )
    .option('--wait', 'wait for a person, where one has to approve it')
    .option('--input <name=value>', 'an input that is called like an option', collect)
    .passThroughOptions()
    .allowUnknownOption();
}
