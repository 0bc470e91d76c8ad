import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { ConfigModule, type Settings } from '../../core/config/index.js';
import { MasterKey } from '../../core/crypto/index.js';
import { ConnectionOptions, Database, DatabaseModule } from '../../core/database/index.js';
import { loadDatabase } from '../../core/copies/index.js';
import { type LoadedExtension, loadExtensions } from '../../core/extensions/index.js';
import { WorkspaceKey, WorkspaceKeysRepository, WorkspaceKeysService } from '../../core/keys/index.js';
import { SecretSamples } from '../../secrets/index.js';
import { withModule, withTemporaryDatabase } from '../application.js';
import { CommandRefused } from '../command-refused.js';
import { BLOB_KEYS } from './backup.sql.js';
import { lostLines } from './manifest.js';
import { masterKeyOf, type StoredOptions, withBackup } from './places.js';
import { DamagedBackup, type StoredBackup } from './stored-backup.js';

/** What a restored database needs to have its secrets opened. */
@Module({})
class VerifyModule {
  static of(
    settings: Settings,
    connection: ConnectionOptions,
    extensions: readonly LoadedExtension[],
    key: Buffer,
  ): DynamicModule {
    return {
      module: VerifyModule,
      imports: [
        ConfigModule.of(settings),
        DatabaseModule.connectedTo(connection, extensions),
        TypeOrmModule.forFeature([WorkspaceKey]),
      ],
      providers: [
        SecretSamples,
        WorkspaceKeysRepository,
        WorkspaceKeysService,
        { provide: MasterKey, useValue: new MasterKey(key) },
      ],
    };
  }
}

/**
 * Restores a backup into a database that is thrown away, brings that up to date as a start does, opens a secret of each
 * workspace and reads every file.
 *
 * @throws CommandRefused that says all that is wrong
 */
export function verifyBackup(settings: Settings, from: string, options: StoredOptions): Promise<string> {
  return withBackup(from, options, (backup) =>
    withTemporaryDatabase(async (url) => {
      const { id, takenAt, tables, blobs } = backup.manifest;
      const extensions = await loadExtensions(settings, process.env);
      const rows = await loadDatabase(url, backup, { extensions });
      const damaged = await damagedFiles(backup);
      const key = (await backup.masterKey()) ?? (await masterKeyOf(settings))?.key;
      if (!key)
        throw new CommandRefused(
          'The master key is not in the backup. Give it as GATEHOUSE_MASTER_KEY, to open secrets.',
        );
      const module = VerifyModule.of(settings, new ConnectionOptions(url, 2), extensions, key);
      const { secrets, unnamed } = await withModule(settings, module, async (app) => ({
        secrets: await app.get(SecretSamples).openEach(),
        unnamed: await notIn(backup, app.get(Database)),
      }));
      const problems = [
        ...damaged,
        ...unnamed.map((file) => `The file ${file} is not in it.`),
        ...secrets.closed.map(
          (workspace) => `No secret of the workspace ${workspace} opens with this master key.`,
        ),
      ];
      if (problems.length > 0)
        throw new CommandRefused(`The backup ${id} is not whole:\n${problems.join('\n')}`);
      return [
        `The backup ${id} of ${takenAt} can be restored: ${rows} rows in ${tables.length} tables, ${blobs.length} files.`,
        `A secret of each of ${secrets.opened} workspaces opens.`,
        ...lostLines(backup.manifest),
      ].join('\n');
    }),
  );
}

async function damagedFiles(backup: StoredBackup): Promise<string[]> {
  const problems: string[] = [];
  for (const blob of backup.manifest.blobs) {
    const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
    await pipeline(await backup.blob(blob), nowhere).catch((error: Error) =>
      problems.push(told(blob.key, error)),
    );
  }
  return problems;
}

function told(key: string, error: Error): string {
  return error instanceof DamagedBackup ? error.message : `The file ${key} does not open: ${error.message}`;
}

/** What the rows name and the backup neither has nor tells as lost. */
async function notIn({ manifest: { blobs, lost } }: StoredBackup, database: Database): Promise<string[]> {
  const there = new Set([...blobs.map(({ key }) => key), ...lost]);
  const named = await database.query<{ key: string }>(BLOB_KEYS);
  return named.map(({ key }) => key).filter((key) => !there.has(key));
}
