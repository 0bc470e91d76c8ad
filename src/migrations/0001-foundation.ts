import type { MigrationInterface, QueryRunner } from 'typeorm';

import { AUTOMATIONS, SCHEDULE_BYTES, TRIGGER_BYTES } from './foundation/automations.sql.js';
import { DECISIONS, REQUEST_BYTES } from './foundation/decisions.sql.js';
import { ENVIRONMENTS } from './foundation/environments.sql.js';
import { MACHINERY } from './foundation/machinery.sql.js';
import { PEOPLE } from './foundation/people.sql.js';
import { RUNS } from './foundation/runs.sql.js';
import { INPUT_SCHEMA_BYTES, OTHER_BYTES, SCRIPTS } from './foundation/scripts.sql.js';
import { WEBHOOKS } from './foundation/webhooks.sql.js';
import { WORKSPACES } from './foundation/workspaces.sql.js';

/**
 * Ids are compared byte by byte (`COLLATE "C"`), which is what makes them sort by creation. Every list is read by one
 * index of the form (what it is filtered by, id). What each table and column means is said by its entity.
 */
export class Foundation1760000000001 implements MigrationInterface {
  name = 'Foundation1760000000001';

  async up(runner: QueryRunner): Promise<void> {
    for (const tables of TABLES) await runner.query(tables);
    await runner.query(GENERATED_COLUMNS);
    for (const column of GENERATED) await runner.query(RECORD_GENERATED_COLUMN, column);
  }

  async down(): Promise<void> {
    throw new Error('The first migration cannot be undone: drop the database instead.');
  }
}

const TABLES = [PEOPLE, WORKSPACES, ENVIRONMENTS, SCRIPTS, RUNS, DECISIONS, AUTOMATIONS, WEBHOOKS, MACHINERY];

/** Where TypeORM looks up how a column is computed. */
const GENERATED_COLUMNS = `
  CREATE TABLE IF NOT EXISTS typeorm_metadata (
    type character varying NOT NULL,
    database character varying,
    schema character varying,
    "table" character varying,
    name character varying,
    value text
  )`;

const RECORD_GENERATED_COLUMN = `
  INSERT INTO typeorm_metadata (type, database, schema, "table", name, value)
  VALUES ('GENERATED_COLUMN', current_database(), current_schema(), $1, $2, $3)`;

const GENERATED = [
  ['script_versions', 'input_schema_bytes', INPUT_SCHEMA_BYTES],
  ['script_versions', 'other_bytes', OTHER_BYTES],
  ['approval_requests', 'bytes', REQUEST_BYTES],
  ['schedules', 'bytes', SCHEDULE_BYTES],
  ['triggers', 'bytes', TRIGGER_BYTES],
];
