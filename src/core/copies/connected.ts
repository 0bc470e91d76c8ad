import pg from 'pg';

/** A connection of its own for work that may take hours: no statement is given up, and a network that drops idle ones is kept awake. */
export async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    application_name: 'gatehouse admin',
  });
  // One that breaks is told by the next statement.
  client.on('error', () => undefined);
  await client.connect();
  await client.query(
    'SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET idle_session_timeout = 0',
  );
  return client;
}

export async function withConnection<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connected(url);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** All rows of a statement. */
export async function rowsOf<T>(client: pg.Client, statement: string, values: unknown[] = []): Promise<T[]> {
  return (await client.query(statement, values)).rows as T[];
}

export const quoted = (name: string): string => pg.escapeIdentifier(name);
