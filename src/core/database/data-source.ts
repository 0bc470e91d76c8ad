import { join } from 'node:path';

import pg from 'pg';
import type { DataSourceOptions } from 'typeorm';

import type { ConnectionOptions } from './connection-options.js';
import { SnakeNames } from './snake-names.js';

// Counts and sizes are far below 2^53; as numbers they need no conversion at every place of use.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

const PROGRAM = join(import.meta.dirname, '..', '..');

/** What TypeORM is told: every `*.entity.ts` and every migration of the program, found by their names. */
export function dataSourceOptions(connection: ConnectionOptions): DataSourceOptions {
  return {
    type: 'postgres',
    url: connection.url,
    extra: connection.pool,
    applicationName: 'gatehouse',
    entities: [join(PROGRAM, '**', '*.entity.js')],
    migrations: [join(PROGRAM, 'migrations', '*.js')],
    migrationsTableName: 'migrations',
    namingStrategy: new SnakeNames(),
    synchronize: false,
  };
}
