import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import pg from 'pg';
import { DataSource } from 'typeorm';

import { ConnectionOptions } from '../../../src/core/database/connection-options.js';
import { dataSourceOptions } from '../../../src/core/database/data-source.js';
import { migrate } from '../../../src/core/database/migrate.js';
import { connect, sharedCluster } from './cluster.js';
import { MOVABLE_CLOCK, SEARCH_PATH } from './movable-clock.sql.js';

/** Any fixed number: processes that need the template at once take turns in making it. */
const LOCK = 5_820_114_737;
const LOOK_EVERY_MS = 20;
const MOST_LOOKS = 25;

/** A database of one's own, with Gatehouse's tables and nothing in them. */
export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** A copy of a template, which is made once for each version of the tables. */
export async function newTestDatabase(): Promise<TestDatabase> {
  // Stays connected: the database's server runs for as long as somebody is.
  const { url: cluster, client } = await sharedCluster();
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`;
  await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
  const template = await ensureTemplate(client, cluster);
  await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  await client.query(`ALTER DATABASE ${name} SET search_path = ${SEARCH_PATH}`);
  await client.query('SELECT pg_advisory_unlock($1)', [LOCK]);
  return {
    url: addressOf(cluster, name),
    drop: async () => {
      // Anew: where the server began again meanwhile, as after one of its processes was killed, the first is broken.
      const dropping = await connect(cluster);
      await waitForEnds(dropping, name);
      await dropping.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await dropping.end();
      await client.end().catch(() => undefined);
    },
  };
}

/** An ended connection closes a moment later. Broken before, it would tell whoever ended it, who listens no more. */
async function waitForEnds(client: pg.Client, database: string): Promise<void> {
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const { rowCount } = await client.query('SELECT FROM pg_stat_activity WHERE datname = $1', [database]);
    if (rowCount === 0) return;
    await sleep(LOOK_EVERY_MS);
  }
}

async function ensureTemplate(client: pg.Client, cluster: string): Promise<string> {
  const template = await templateName(cluster);
  const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [template]);
  if (rowCount === 1) return template;
  const draft = `${template}_draft`;
  await client.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`);
  await client.query(`CREATE DATABASE ${draft}`);
  await client.query(`ALTER DATABASE ${draft} SET search_path = ${SEARCH_PATH}`);
  const source = new DataSource(await dataSourceOptions(new ConnectionOptions(addressOf(cluster, draft), 2)));
  await source.initialize();
  try {
    await source.query(MOVABLE_CLOCK);
    await migrate(source);
  } finally {
    await source.destroy();
  }
  await client.query(`ALTER DATABASE ${draft} RENAME TO ${template}`);
  return template;
}

async function templateName(cluster: string): Promise<string> {
  const { migrations } = await dataSourceOptions(new ConnectionOptions(cluster, 1));
  const names = (migrations as (new () => object)[]).map(({ name }) => name);
  const made = [MOVABLE_CLOCK, ...names].join(' ');
  return `template_${createHash('sha256').update(made).digest('hex').slice(0, 16)}`;
}

function addressOf(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.toString();
}
