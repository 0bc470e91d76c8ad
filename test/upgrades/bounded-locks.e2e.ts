import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ConnectionOptions } from '../../src/core/database/index.js';
import { dataSourceOptions } from '../../src/core/database/data-source.js';
import { newDatabase } from '../support/gatehouse.js';
import { keptDumps, restoreDump } from './support/dump.js';
import { heldUpBy } from './support/held-up.js';

type Migration = MigrationInterface & { name: string };

const last = (await keptDumps()).at(-1)!;
const databaseUrl = await newDatabase();
const options = await dataSourceOptions(new ConnectionOptions(databaseUrl, 4));
const moment = ({ name }: Migration): number => Number(name.slice(-13));
const since = (options.migrations as (new () => Migration)[])
  .map((migration) => new migration())
  .filter(({ name }) => !last.migrations.includes(name))
  .sort((one, other) => moment(one) - moment(other));

const made = (statements: string[], transaction?: false): MigrationInterface => ({
  ...(transaction === false && { transaction }),
  up: async (runner) => {
    for (const statement of statements) await runner.query(statement);
  },
  down: () => Promise.resolve(),
});

/**
 * docs/decisions/migrations.md says the rules. What a migration does is looked at rather than its words: every table of the last
 * release has rows here, so whatever reads or changes them all is seen.
 */
describe(`migrations since ${last.version}, on its data`, () => {
  let dataDirectory: string;
  let source: DataSource;
  let runner: QueryRunner;

  beforeAll(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), 'gatehouse-locks-'));
    await restoreDump(last, { databaseUrl, dataDirectory });
    source = await new DataSource(options).initialize();
    runner = source.createQueryRunner();
  }, 120_000);
  afterAll(async () => {
    await runner?.release();
    await source?.destroy();
    await rm(dataDirectory, { recursive: true, force: true });
  });

  it.each(since.map((migration) => [migration.name, migration] as const))(
    'have nobody wait for longer where there are more rows: %s',
    async (_, migration) => {
      expect(await heldUpBy(migration, runner)).toEqual([]);
    },
  );

  it.each([
    ['an index', ['CREATE INDEX tried ON runs (status)']],
    ['an index beside no transaction', ['CREATE INDEX tried_alone ON runs (status)'], false],
    ['a constraint', [`ALTER TABLE runs ADD CONSTRAINT tried CHECK (id <> '')`]],
    [
      'a constraint that is validated in the same transaction',
      [
        `ALTER TABLE events ADD CONSTRAINT tried CHECK (id <> '') NOT VALID`,
        'ALTER TABLE events VALIDATE CONSTRAINT tried',
      ],
    ],
    [
      'a reference',
      ['ALTER TABLE runs ADD CONSTRAINT again FOREIGN KEY (workspace_id) REFERENCES workspaces (id)'],
    ],
    [
      'NOT NULL without a check',
      ['ALTER TABLE scripts ALTER name DROP NOT NULL', 'ALTER TABLE scripts ALTER name SET NOT NULL'],
    ],
    ['another type', ['ALTER TABLE events ALTER type TYPE varchar(1000)']],
    ['a default by chance', ['ALTER TABLE events ADD COLUMN tried uuid DEFAULT gen_random_uuid()']],
    ['a change of all rows', ['UPDATE scripts SET name = name']],
    [
      'a change of all rows of a table that it locks',
      ['ALTER TABLE users ADD tried text', `UPDATE users SET tried = ''`],
    ],
  ] as [string, string[], false?][])('would be refused for %s', async (_, statements, transaction) => {
    expect(await heldUpBy(made(statements, transaction), runner)).not.toEqual([]);
  });

  it.each([
    ['a column with a constant default', [`ALTER TABLE runs ADD COLUMN constant text NOT NULL DEFAULT 'a'`]],
    ['an index CONCURRENTLY', ['CREATE INDEX CONCURRENTLY concurrent ON runs (status)'], false],
    [
      'a constraint that is not validated',
      [`ALTER TABLE runs ADD CONSTRAINT later CHECK (id <> '') NOT VALID`],
    ],
    ['its validation afterwards', ['ALTER TABLE runs VALIDATE CONSTRAINT later']],
    [
      'NOT NULL by a validated check',
      [
        'ALTER TABLE runs ADD CONSTRAINT id_there CHECK (id IS NOT NULL) NOT VALID',
        'ALTER TABLE runs VALIDATE CONSTRAINT id_there',
        'ALTER TABLE runs ALTER id SET NOT NULL',
      ],
      false,
    ],
    [
      'a change in batches',
      [`UPDATE scripts SET name = name WHERE id IN (SELECT id FROM scripts LIMIT 1)`],
      false,
    ],
    [
      'a new table that refers to others',
      ['CREATE TABLE new_one (run_id text REFERENCES runs (id)); CREATE INDEX new_index ON new_one (run_id)'],
    ],
  ] as [string, string[], false?][])('may make %s', async (_, statements, transaction) => {
    expect(await heldUpBy(made(statements, transaction), runner)).toEqual([]);
  });
});
