import pg from 'pg';

import { newDatabase } from './gatehouse.js';

export async function inDatabase(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** A server whose facts are others than those of the suite's: its own functions, of the schema `claimed`, come before PostgreSQL's. */
export async function claiming(...functions: string[]): Promise<string> {
  const url = new URL(await newDatabase());
  await inDatabase(url.href, 'CREATE SCHEMA claimed', ...functions);
  url.searchParams.set('options', '-c search_path=claimed,pg_catalog');
  return url.href;
}
