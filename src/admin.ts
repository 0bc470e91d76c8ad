import 'reflect-metadata';

import { parseArgs } from 'node:util';

import pg from 'pg';

import type { Answer } from './admin/answer.js';
import { BACKUP_COMMANDS, BACKUP_USAGE, type BackupOptions } from './admin/backup/commands.js';
import { CommandRefused } from './admin/command-refused.js';
import { InvalidSettings, Settings } from './core/config/index.js';
import { ProblemError } from './core/errors/index.js';
import { ExtensionProblem } from './core/extensions/index.js';
import { RotationRefused } from './core/keys/index.js';
import { ServerUnusable } from './core/lifecycle/index.js';
import { StorageError } from './core/storage/index.js';

const USAGE = `Usage: npm run admin -- COMMAND

  doctor [--json]
      Looks at the machine, the disks and every server that the settings name, and says of each how it is and what to do.
      The exit code is 1 where something has to be done.

  rotate-master-key [--new-key-file FILE]
      Gives the instance another master key while it is stopped. The new key is GATEHOUSE_NEW_MASTER_KEY, or what
      FILE holds (- for standard input); where the key is kept in the data directory, one is made up if none is given.

  reset-password EMAIL [--password-file FILE]
      Gives an account a new password and ends its sessions. Without a FILE (- for standard input), one is made up
      and printed once.

  users list [PART]
      Accounts, or those whose address or name has PART in it.
  users make EMAIL [--name NAME] [--password-file FILE]
      Makes an account with the password in FILE, or with one that is made up and printed once.
  users disable EMAIL
      Ends all that acts for the person, takes them out of every workspace, and lets nobody sign in as them.
  users enable EMAIL
      Lets somebody sign in again. They come back to workspaces by invitation.

  workspaces list [PART]
      Workspaces, or those whose slug or name has PART in it.
  workspaces make SLUG OWNER-EMAIL [--name NAME]
      Makes a workspace for somebody with an account.
  workspaces disable SLUG
      Does what its deletion does: nobody gets in, nothing starts, and its API keys and apps end.
  workspaces enable SLUG
      Opens it again, or one that an owner deleted.
  workspaces make-owner SLUG EMAIL
      Makes somebody with an account an owner.

  schema
      Which migrations the database has had. Changes nothing.

  sizes
      What tables and files have grown to: by table, workspace and age, and for each thousand runs.

  log-level [info|debug|usual] [--workspace SLUG] [--minutes N]
      Has all processes log more for 15 minutes, or N: of one workspace, or of everything. Without a level: what is so now.

  set-plan WORKSPACE PLAN
      Gives the workspace of that slug another plan of GATEHOUSE_PLANS.

  extensions
      Loads the extensions of GATEHOUSE_EXTENSIONS as a start does, and names them with their versions.

  extensions remove NAME
      Undoes the migrations of one of them while the instance is stopped: its tables are dropped with all that is in them.
${BACKUP_USAGE}

With --json, what doctor, users, workspaces, schema, sizes and log-level say is JSON.`;

type Options = Partial<Record<'minutes' | 'name' | 'new-key-file' | 'password-file' | 'workspace', string>> &
  BackupOptions & { json?: boolean };

interface Command {
  /** How many there may be. */
  parameters: readonly number[];
  options: (keyof Options)[];
  run(settings: Settings, parameters: string[], options: Options): Promise<string | Answer>;
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
  users: {
    parameters: [1, 2],
    options: ['json', 'name', 'password-file'],
    run: async (settings, [what, email], { name, 'password-file': passwordFile }) => {
      const users = await import('./admin/users.js');
      if (what === 'list') return users.listUsers(settings, email);
      if (email === undefined) throw new CommandRefused(USAGE);
      if (what === 'make') return users.makeUser(settings, email, { name, passwordFile });
      if (what === 'disable') return users.disableUser(settings, email);
      if (what === 'enable') return users.enableUser(settings, email);
      throw new CommandRefused(USAGE);
    },
  },
  workspaces: {
    parameters: [1, 2, 3],
    options: ['json', 'name'],
    run: async (settings, [what, slug, email], { name }) => {
      const workspaces = await import('./admin/workspaces.js');
      if (email !== undefined && slug !== undefined) {
        if (what === 'make') return workspaces.makeWorkspace(settings, slug, email, name);
        if (what === 'make-owner') return workspaces.makeOwner(settings, slug, email);
      } else if (what === 'list') return workspaces.listWorkspaces(settings, slug);
      else if (slug !== undefined) {
        if (what === 'disable') return workspaces.disableWorkspace(settings, slug);
        if (what === 'enable') return workspaces.enableWorkspace(settings, slug);
      }
      throw new CommandRefused(USAGE);
    },
  },
  schema: {
    parameters: [0],
    options: ['json'],
    run: async (settings) => (await import('./admin/schema.js')).schema(settings),
  },
  sizes: {
    parameters: [0],
    options: ['json'],
    run: async (settings) => (await import('./admin/sizes.js')).sizes(settings),
  },
  'log-level': {
    parameters: [0, 1],
    options: ['json', 'minutes', 'workspace'],
    run: async (settings, [level], { workspace, minutes }) => {
      const { logLevel } = await import('./admin/log-level.js');
      return logLevel(settings, { level, workspace, minutes });
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
  doctor: {
    parameters: [0],
    options: ['json'],
    run: async (settings) => {
      const { doctor } = await import('./admin/doctor/doctor.js');
      return doctor(settings);
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
      json: { type: 'boolean' },
      minutes: { type: 'string' },
      name: { type: 'string' },
      'new-key-file': { type: 'string' },
      'password-file': { type: 'string' },
      workspace: { type: 'string' },
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
  const settings = new Settings(process.env);
  const said = spoken(await command.run(settings, parameters, options), options);
  // What a command writes to standard output is nothing but that.
  if (parameters[0] === '-' && name === 'backup') console.error(said);
  else console.log(said);
}

function spoken(answer: string | Answer, { json }: Options): string {
  if (typeof answer === 'string') return answer;
  return json ? JSON.stringify(answer.value, null, 2) : answer.text;
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error && isForTheOperator(error) ? error.message : error);
  process.exitCode = 1;
}

/** Errors that say what to do need no stack. Those of PostgreSQL have rows and parameters beside their message. */
function isForTheOperator(error: Error): boolean {
  const aboutArguments = /^ERR_PARSE_ARGS/.test(String((error as NodeJS.ErrnoException).code));
  const refused =
    error instanceof CommandRefused ||
    error instanceof ExtensionProblem ||
    error instanceof RotationRefused ||
    error instanceof InvalidSettings ||
    causeOf(error) instanceof pg.DatabaseError ||
    error instanceof ProblemError ||
    error instanceof ServerUnusable ||
    error instanceof StorageError;
  return refused || aboutArguments || error.constructor === Error;
}

/** TypeORM has PostgreSQL's own inside of its errors. */
function causeOf(error: Error): unknown {
  return (error as { driverError?: unknown }).driverError ?? error;
}
