import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import {
  ConnectionOptions,
  dataSourceOptions,
  migrateExtension,
  revertExtension,
} from '../../src/core/database/index.js';
import type { LoadedExtension } from '../../src/core/extensions/index.js';
import { copiedPlace } from '../support/gatehouse.js';

/** As extensions had them while nothing compared tables. */
class TouchWorkspaces1760000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE acme_notes (id text PRIMARY KEY)');
    await runner.query('ALTER TABLE workspaces ADD COLUMN acme_rank integer');
    await runner.query('CREATE TABLE notes (id text PRIMARY KEY)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE notes, acme_notes');
    await runner.query('ALTER TABLE workspaces DROP COLUMN acme_rank');
  }
}

const ACME = {
  name: 'acme',
  reference: 'gatehouse-acme',
  migrations: [TouchWorkspaces1760000000000],
} as unknown as LoadedExtension;

describe('migrations of an extension that has altered a table of ours', () => {
  let source: DataSource;

  beforeEach(async () => {
    const { databaseUrl } = await copiedPlace();
    source = await new DataSource(
      await dataSourceOptions(new ConnectionOptions(databaseUrl, 2), []),
    ).initialize();
  });
  afterEach(() => source?.destroy());

  const isThere = async (): Promise<boolean> =>
    (await source.query("SELECT FROM information_schema.columns WHERE column_name = 'acme_rank'")).length > 0;

  it('are not carried out anew', async () => {
    await expect(migrateExtension(source, ACME)).rejects.toThrow('its migrations alter tables');
    expect(await isThere()).toBe(false);
  });

  it('are carried out again in a copy, and are undone where the extension is removed', async () => {
    await migrateExtension(source, ACME, { again: true });
    expect(await isThere()).toBe(true);
    // A start finds them done.
    await migrateExtension(source, ACME);
    expect(await revertExtension(source, ACME)).toBe(1);
    expect(await isThere()).toBe(false);
  });
});
