import { readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { DataSourceOptions } from 'typeorm';

import type { LoadedExtension } from '../extensions/index.js';
import type { ConnectionOptions } from './connection-options.js';
import { SnakeNames } from './snake-names.js';

const PROGRAM = join(import.meta.dirname, '..', '..');
/** `.js` in the built program, `.ts` where a test imports this file. */
const EXTENSION = extname(import.meta.filename);

/**
 * What TypeORM is told: every `*.entity.ts` and every migration of the program, found by their names, and the entities of
 * extensions.
 */
export async function dataSourceOptions(
  connection: ConnectionOptions,
  extensions: readonly LoadedExtension[] = [],
): Promise<DataSourceOptions> {
  const own = await exportedBy(`.entity${EXTENSION}`, PROGRAM);
  return {
    type: 'postgres',
    url: connection.url,
    extra: connection.pool,
    applicationName: 'gatehouse',
    entities: [...own, ...extensions.flatMap(({ entities }) => [...entities])],
    migrations: await exportedBy(EXTENSION, join(PROGRAM, 'migrations')),
    migrationsTableName: 'migrations',
    namingStrategy: new SnakeNames(),
    synchronize: false,
  };
}

/** Imported here rather than by TypeORM, so that a test has the same classes as what it tests. */
async function exportedBy(ending: string, folder: string): Promise<(new () => object)[]> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending) && !file.includes('.spec.'))
    .sort();
  const modules = await Promise.all(
    files.map((file) => import(pathToFileURL(join(folder, file)).href) as Promise<Record<string, unknown>>),
  );
  return modules
    .flatMap((exported) => Object.values(exported))
    .filter((value): value is new () => object => typeof value === 'function');
}
