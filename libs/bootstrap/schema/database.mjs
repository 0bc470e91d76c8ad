import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { DataSource } from 'typeorm';

import { prepare } from '../prepare.mjs';
import { root } from '../project.mjs';

/** A PostgreSQL of its own gone afterwards, to see what migrations and what entities make of it. */
export async function withDatabase(work) {
  process.chdir(root);
  await prepare();
  const load = (path) => import(pathToFileURL(join(root, 'dist', 'src', 'core', 'database', path)).href);
  const { EmbeddedPostgres } = await load('embedded/embedded-postgres.js');
  const { ConnectionOptions } = await load('connection-options.js');
  const { dataSourceOptions } = await load('data-source.js');
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-schema-'));
  const postgres = new EmbeddedPostgres({ dataDir: directory, settings: { fsync: 'off' } });
  try {
    const { url } = await postgres.start();
    const open = (options) =>
      new DataSource({ ...dataSourceOptions(new ConnectionOptions(url, 2)), ...options }).initialize();
    await work({
      migrated: async () => {
        const source = await open({});
        await source.runMigrations({ transaction: 'each' });
        return source;
      },
      synchronized: async () => {
        const source = await open({ schema: 'entities' });
        await source.query('CREATE SCHEMA entities');
        await source.synchronize();
        return source;
      },
    });
  } finally {
    await postgres.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}
