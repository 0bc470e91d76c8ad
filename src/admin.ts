import 'reflect-metadata';

import { parseArgs } from 'node:util';

import { type DynamicModule, type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

import { ConfigModule } from './core/config/config.module.js';
import { InvalidSettings } from './core/config/settings-reader.js';
import { Settings } from './core/config/settings.js';
import { loadMasterKey } from './core/crypto/load-master-key.js';
import { MasterKeyFile } from './core/crypto/master-key-file.js';
import { MasterKeyRotationRepository } from './core/crypto/master-key-rotation.repository.js';
import { MasterKeyRotation, RotationRefused } from './core/crypto/master-key-rotation.js';
import { MasterKey } from './core/crypto/master-key.js';
import { readNewMasterKey } from './core/crypto/new-master-key.js';
import { WorkspaceKeysRepository } from './core/crypto/workspace-keys.repository.js';
import { ConnectionOptions } from './core/database/connection-options.js';
import { DatabaseModule } from './core/database/database.module.js';
import { EmbeddedPostgres } from './core/database/embedded/embedded-postgres.js';

const USAGE = `Usage: npm run admin -- COMMAND

  rotate-master-key [--new-key-file FILE]
      Gives the instance another master key while it is stopped. The new key is GATEHOUSE_NEW_MASTER_KEY, or what
      FILE holds (- for standard input); where the key is kept in the data directory, one is made up if none is given.`;

/** What the operator's commands need of the application: the database, nothing that runs by itself. */
@Module({})
class AdminModule {
  static of(settings: Settings, connection: ConnectionOptions): DynamicModule {
    return {
      module: AdminModule,
      imports: [ConfigModule.of(settings), DatabaseModule.connectedTo(connection)],
      providers: [MasterKeyRotation, MasterKeyRotationRepository, WorkspaceKeysRepository],
    };
  }
}

async function rotateMasterKey(settings: Settings, newKeyFile: string | undefined): Promise<string> {
  const file = settings.masterKey ? null : new MasterKeyFile(settings.dataDirectory);
  if (file && (await file.read()) === null) {
    throw new RotationRefused(
      `There is no master key yet in ${settings.dataDirectory}: the first start makes one.`,
    );
  }
  const source = { environment: process.env, file: newKeyFile, mayBeMade: file !== null };
  const key = await readNewMasterKey(source);
  const next = new MasterKey(key);
  return withApplication(settings, async (app) => {
    const present = settings.masterKey
      ? new MasterKey(settings.masterKey)
      : await loadMasterKey(settings, app.get(WorkspaceKeysRepository));
    if (next.id === present.id) throw new RotationRefused('The new master key is the present one.');
    await file?.stage(key);
    const count = await app
      .get(MasterKeyRotation)
      .rotate(present, next)
      .catch(async (error: unknown) => {
        // After any other error the change may have been committed: then the next start finds the staged key.
        if (error instanceof RotationRefused) await file?.discardStaged();
        throw error;
      });
    await file?.promote();
    return report(count, file);
  });
}

function report(count: number, file: MasterKeyFile | null): string {
  const todo = file
    ? [
        `The new master key is in ${file.path}. Back it up, and destroy the old one with its backups.`,
        'Processes on other machines need it as GATEHOUSE_MASTER_KEY before they start.',
      ]
    : [
        'Now set GATEHOUSE_MASTER_KEY to the new key, in the environment or the .env file of every process, before you',
        'start it: with the old key none starts. Then destroy the old key with its backups.',
      ];
  return [
    `The master key was changed: ${count} workspace ${count === 1 ? 'key is' : 'keys are'} sealed by the new one, and secrets are as they were.`,
    ...todo,
    'Links to files that were handed out before do not work any more. A request repeated with an Idempotency-Key of',
    'before is not carried out again; it is answered 422.',
  ].join('\n');
}

async function withApplication<T>(
  settings: Settings,
  work: (app: INestApplicationContext) => Promise<T>,
): Promise<T> {
  const embedded = settings.databaseUrl ? null : new EmbeddedPostgres({ dataDir: settings.dataDirectory });
  try {
    const url = settings.databaseUrl ?? (await embedded!.start()).url;
    const connection = new ConnectionOptions(url, settings.databasePool);
    const app = await NestFactory.createApplicationContext(AdminModule.of(settings, connection), {
      logger: ['warn', 'error', 'fatal'],
      abortOnError: false,
    });
    try {
      return await work(app);
    } finally {
      await app.close();
    }
  } finally {
    await embedded?.stop();
  }
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: { 'new-key-file': { type: 'string' }, help: { type: 'boolean' } },
  });
  if (values.help) return console.log(USAGE);
  if (positionals.length !== 1 || positionals[0] !== 'rotate-master-key') throw new RotationRefused(USAGE);
  console.log(await rotateMasterKey(new Settings(process.env), values['new-key-file']));
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
  const refused = error instanceof RotationRefused || error instanceof InvalidSettings;
  return refused || aboutArguments || error.constructor === Error;
}
