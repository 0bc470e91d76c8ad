import pg from 'pg';

import { connectionFailure, ServerUnusable } from '../lifecycle/index.js';
import { isDatabaseAway } from './database-errors.js';

/** The oldest that PostgreSQL itself still mends. */
const OLDEST_VERSION = 15;
const ANSWER_MS = 5_000;
const SETTING = 'DATABASE_URL';
const CANNOT = 'cannot be reached';

export interface DatabaseFacts {
  version: string;
  /** How far its clock is ahead of this machine's, but for half of the time that the response took. */
  clockAheadMs: number;
}

interface Facts {
  version: number;
  versionText: string;
  encoding: string;
  isStandby: boolean;
  isReadOnly: boolean;
  mayMakeTables: boolean;
  /** Milliseconds since 1970. */
  now: number;
}

/**
 * Whether a start can use a PostgreSQL, and what it is.
 *
 * @param setting that has its address
 * @throws ServerUnusable that says what is wrong with it, without the password, and what to do
 */
export async function checkDatabase(url: string, setting = SETTING): Promise<DatabaseFacts> {
  const client = clientOf(url, setting);
  // A connection that breaks after its end is nobody's business.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const askedAt = Date.now();
    const { rows } = await client.query<Facts>(FACTS);
    const halfway = (askedAt + Date.now()) / 2;
    const facts = rows[0]!;
    assertFits(facts, client, setting);
    return { version: facts.versionText, clockAheadMs: facts.now - halfway };
  } catch (error) {
    throw error instanceof ServerUnusable ? error : problemOf(connectionFailure(error), client, setting);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Where it is, as a message may say it. */
export function placeOfDatabase(url: string): string {
  return placeOf(clientOf(url));
}

/** What a start says that has lost the database, or found no connection left for all that it opens. Other errors stay as they are. */
export function problemOfStart(error: unknown, url: string): unknown {
  return isDatabaseAway(error) ? problemOf(connectionFailure(error), clientOf(url)) : error;
}

function clientOf(url: string, setting = SETTING): pg.Client {
  try {
    return new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
    });
  } catch (error) {
    throw new ServerUnusable(`${setting} cannot be read: ${(error as Error).message}.`);
  }
}

function placeOf({ host, port }: pg.Client): string {
  return `PostgreSQL at ${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function assertFits(facts: Facts, client: pg.Client, setting: string): void {
  const { version, versionText, encoding, isStandby, isReadOnly, mayMakeTables } = facts;
  const place = placeOf(client);
  if (version < OLDEST_VERSION * 10_000) {
    throw new ServerUnusable(
      `${place} (${setting}) is version ${versionText}; Gatehouse needs ${OLDEST_VERSION} or newer.`,
    );
  }
  if (isStandby) {
    throw new ServerUnusable(
      `${place} (${setting}) is a standby, which takes no changes. Name the primary in ${setting}.`,
    );
  }
  if (isReadOnly) {
    throw new ServerUnusable(
      `${place}: the database "${client.database}" takes no changes (default_transaction_read_only is on). See why it is set, as by a host whose disk is full, and reset it.`,
    );
  }
  if (encoding !== 'UTF8') {
    throw new ServerUnusable(
      `${place}: the database "${client.database}" has the encoding ${encoding}, which does not hold every text. Make another one: CREATE DATABASE … TEMPLATE template0 ENCODING 'UTF8'.`,
    );
  }
  if (!mayMakeTables) {
    throw new ServerUnusable(
      `${place}: the user "${client.user}" may not make tables in the database "${client.database}". As its owner: ALTER DATABASE "${client.database}" OWNER TO "${client.user}".`,
    );
  }
}

function problemOf(error: NodeJS.ErrnoException, client: pg.Client, setting = SETTING): ServerUnusable {
  const { code = '', message } = error;
  const place = placeOf(client);
  const named = `${place} (${setting})`;
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new ServerUnusable(
        `${named} ${CANNOT}: there is no host of that name. Correct ${setting}, or start what has the name.`,
        true,
      );
    case 'ECONNREFUSED':
    case 'ENOENT':
      return new ServerUnusable(
        `${named} ${CANNOT}: nothing listens there. Start PostgreSQL, or correct ${setting}.`,
        true,
      );
    case '28P01':
      return new ServerUnusable(
        `${place} refuses the password of the user "${client.user}". Correct the user or the password in ${setting}.`,
      );
    case '28000':
      return new ServerUnusable(
        `${place} refuses the user "${client.user}": ${message}. Correct ${setting}, or what pg_hba.conf allows.`,
      );
    case '3D000':
      return new ServerUnusable(
        `${place} has no database "${client.database}". Make it (CREATE DATABASE "${client.database}"), or correct ${setting}.`,
      );
    case '42501':
      return new ServerUnusable(`${place} does not let the user "${client.user}" in: ${message}.`);
    case '53300':
      return new ServerUnusable(
        `${named} has no connection left: ${message}. Raise its max_connections, or lower GATEHOUSE_DATABASE_POOL.`,
        true,
      );
  }
  if (/client password must be a string/.test(message)) {
    return new ServerUnusable(`${place} asks for a password, and ${setting} has none.`);
  }
  if (/does not support SSL/.test(message)) {
    return new ServerUnusable(`${place} offers no TLS, which ${setting} asks for (sslmode).`);
  }
  if (/CERT|SELF_SIGNED|ALTNAME|VERIFY/.test(code)) {
    return new ServerUnusable(
      `${place} has a certificate that is not trusted here (${code}). Name its authority with sslrootcert in ${setting}, or by NODE_EXTRA_CA_CERTS.`,
    );
  }
  if (isDatabaseAway(error) || /timeout/i.test(message)) {
    return new ServerUnusable(
      `${named} ${CANNOT}: ${message}. Correct ${setting}, or see to the server and to what is between.`,
      true,
    );
  }
  return new ServerUnusable(`${named} cannot be used: ${message}. Correct ${setting}, or see to the server.`);
}

/** Where there are our tables already, they may be somebody else's to change. */
const FACTS = `
  SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS "versionText",
    current_setting('server_encoding') AS encoding,
    pg_is_in_recovery() AS "isStandby", current_setting('transaction_read_only') = 'on' AS "isReadOnly",
    to_regclass('migrations') IS NOT NULL
      OR COALESCE(has_schema_privilege(current_schema(), 'CREATE'), false) AS "mayMakeTables",
    (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`;
