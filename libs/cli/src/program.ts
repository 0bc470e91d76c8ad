import { Command } from 'commander';

import { addAccountCommands } from './commands/account-commands.js';
import { globalOptions } from './commands/command.js';
import { addEventCommands } from './commands/event-commands.js';
import { addFolderCommands } from './commands/folder-commands.js';
import { addGeneralCommands } from './commands/general-commands.js';
import { addRunCommands } from './commands/run-commands.js';
import { addWorkspaceCommands } from './commands/workspace-commands.js';

/** Every command with its options. What they do is loaded when they are used, so that this costs little. */
export function programOf(version: string): Command {
  const program = new Command('gatehouse')
    .description("Run your team's scripts behind a gate.")
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 failed, 2 wrong use, 3 held for a person, 4 not allowed.\n`GATEHOUSE_TOKEN` or `GATEHOUSE_API_KEY` signs in without a profile.',
    );
  for (const option of globalOptions()) program.addOption(option);
  addAccountCommands(program);
  addRunCommands(program);
  addFolderCommands(program);
  addWorkspaceCommands(program);
  addEventCommands(program);
  addGeneralCommands(program);
  return program;
}
