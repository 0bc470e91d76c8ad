import { DataSource } from 'typeorm';

import { built } from '../project.mjs';
import { withPostgres } from '../temporary-postgres.mjs';

/** A PostgreSQL of its own gone afterwards, to see what migrations and what entities make of it. */
export async function withDatabase(work) {
  await withPostgres(async ({ url }) => {
    const { ConnectionOptions } = await built('src/core/database/connection-options.js');
    const { dataSourceOptions } = await built('src/core/database/data-source.js');
    const own = await dataSourceOptions(new ConnectionOptions(url, 2));
    const open = (options) => new DataSource({ ...own, ...options }).initialize();
    await work({
      migrated: async () => {
        const source = await open({});
        await source.runMigrations({ transaction: 'each' });
        return source;
      },
      synchronized: async () => {
        const source = await open({ schema: 'made_of_entities' });
        await source.query('CREATE SCHEMA made_of_entities');
        await source.synchronize();
        return source;
      },
    });
  });
}
