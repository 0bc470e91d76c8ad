import { Command } from 'commander';
import pg from 'pg';

import { CommandRefused } from './command-refused.js';
import { addBackupCommands } from './commands/backup-commands.js';
import { addInstanceCommands } from './commands/instance-commands.js';
import { addPeopleCommands } from './commands/people-commands.js';
import { InvalidSettings } from '../core/config/index.js';
import { ProblemError } from '../core/errors/index.js';
import { ExtensionProblem } from '../core/extensions/index.js';
import { RotationRefused } from '../core/keys/index.js';
import { ServerUnusable } from '../core/lifecycle/index.js';
import { StorageError } from '../core/storage/index.js';

/** Carries out the operator's command that the arguments of this process name. What it does is loaded then. */
export async function carryOut(): Promise<void> {
  const program = new Command('npm run admin --')
    .description("The operator's commands. They take the settings of the service.")
    .configureOutput({ outputError: (message, write) => write(withoutValues(message)) })
    .showHelpAfterError();
  addInstanceCommands(program);
  addPeopleCommands(program);
  addBackupCommands(program);
  try {
    await program.parseAsync();
  } catch (error) {
    console.error(error instanceof Error && isForTheOperator(error) ? error.message : error);
    process.exitCode = 1;
  }
}

/** What somebody has typed in the wrong place may be a secret. */
function withoutValues(message: string): string {
  return message.replace(/(but got \d+): [^]*/, '$1.\n').replace(/('--[\w-]+)=[^]*'/, "$1'");
}

/** Errors that say what to do need no stack. Those of PostgreSQL have rows and parameters beside their message. */
function isForTheOperator(error: Error): boolean {
  return (
    error instanceof CommandRefused ||
    error instanceof ExtensionProblem ||
    error instanceof RotationRefused ||
    error instanceof InvalidSettings ||
    causeOf(error) instanceof pg.DatabaseError ||
    error instanceof ProblemError ||
    error instanceof ServerUnusable ||
    error instanceof StorageError ||
    error.constructor === Error
  );
}

/** TypeORM has PostgreSQL's own inside of its errors. */
function causeOf(error: Error): unknown {
  return (error as { driverError?: unknown }).driverError ?? error;
}
