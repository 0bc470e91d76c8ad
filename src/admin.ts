import 'reflect-metadata';

import { parseArgs } from 'node:util';

import { BACKUP_COMMANDS, BACKUP_USAGE, type BackupOptions } from './admin/backup/commands.js';
import { CommandRefused } from './admin/command-refused.js';
import { InvalidSettings, Settings } from './core/config/index.js';
import { ExtensionProblem } from './core/extensions/index.js';
import { RotationRefused } from './core/keys/index.js';
import { ServerUnusable } from './core/lifecycle/index.js';
import { StorageError } from './core/storage/index.js';

const USAGE = `Usage: npm run admin -- COMMAND

  rotate-master-key [--new-key-file FILE]
      Gives the instance another master key while it is stopped. The new key is GATEHOUSE_NEW_MASTER_KEY, or what
      FILE holds (- for standard input); where the key is kept in the data directory, one is made up if none is given.

  reset-password EMAIL [--password-file FILE]
      Gives an account a new password and ends its sessions. Without a FILE (- for standard input), one is made up
      and printed once.

  set-plan WORKSPACE PLAN
      Gives the workspace of that slug another plan of GATEHOUSE_PLANS.

  extensions
      Loads the extensions of GATEHOUSE_EXTENSIONS as a start does, and names them with their versions.

  extensions remove NAME
      Undoes the migrations of one of them while the instance is stopped: its tables are dropped with all that is in them.
${BACKUP_USAGE}`;

type Options = Partial<Record<'new-key-file' | 'password-file', string>> & BackupOptions;

interface Command {
  /** How many there may be. */
  parameters: readonly number[];
  options: (keyof Options)[];
  run(settings: Settings, parameters: string[], options: Options): Promise<string>;
}

/** Each loads its part of the application only when it is carried out. */
const COMMANDS: Record<string, Command> = {
  ...BACKUP_COMMANDS,
  'rotate-master-key': {
    parameters: [0],
    options: ['new-key-file'],
    run: async (settings, _, options) => {
      const { rotateMasterKey } = await import('./admin/rotate-master-key.js');
      return rotateMasterKey(settings, options['new-key-file']);
    },
  },
  'reset-password': {
    parameters: [1],
    options: ['password-file'],
    run: async (settings, [email], options) => {
      const { resetPassword } = await import('./admin/reset-password.js');
      return resetPassword(settings, email!, options['password-file']);
    },
  },
  'set-plan': {
    parameters: [2],
    options: [],
    run: async (settings, [workspace, plan]) => {
      const { setPlan } = await import('./admin/set-plan.js');
      return setPlan(settings, workspace!, plan!);
    },
  },
  extensions: {
    parameters: [0, 2],
    options: [],
    run: async (settings, [command, name]) => {
      if (command !== undefined && command !== 'remove') throw new CommandRefused(USAGE);
      const { listExtensions, removeExtension } = await import('./admin/extensions.js');
      return name === undefined ? listExtensions(settings) : removeExtension(settings, name);
    },
  },
};

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: {
      'new-key-file': { type: 'string' },
      'password-file': { type: 'string' },
      'key-file': { type: 'string' },
      keep: { type: 'string' },
      backup: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  const { help, ...options } = values;
  if (help) return console.log(USAGE);
  const [name = '', ...parameters] = positionals;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const fits =
    command?.parameters.includes(parameters.length) &&
    Object.keys(options).every((option) => command.options.some((taken) => taken === option));
  if (!command || !fits) throw new CommandRefused(USAGE);
  const said = await command.run(new Settings(process.env), parameters, options);
  // What a command writes to standard output is nothing but that.
  if (parameters[0] === '-' && name === 'backup') console.error(said);
  else console.log(said);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error && isForTheOperator(error) ? error.message : error);
  process.exitCode = 1;
}

/** Errors that say what to do need no stack. */
function isForTheOperator(error: Error): boolean {
  const aboutArguments = /^ERR_PARSE_ARGS/.test(String((error as NodeJS.ErrnoException).code));
  const refused =
    error instanceof CommandRefused ||
    error instanceof ExtensionProblem ||
    error instanceof RotationRefused ||
    error instanceof InvalidSettings ||
    error instanceof ServerUnusable ||
    error instanceof StorageError;
  return refused || aboutArguments || error.constructor === Error;
}
