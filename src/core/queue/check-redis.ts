import { Redis } from 'ioredis';

import { connectionFailure, ServerUnusable } from '../lifecycle/index.js';
import { redisOptions } from './redis-options.js';

/** The oldest with which the queue works. */
const OLDEST_VERSION = [5, 0] as const;
const ANSWER_MS = 5_000;
/** Of the names that the queue's own begin with, so that a user who may write these may write it. */
const TRIED_KEY = 'bull:start-check';

/**
 * Whether a start can use the Redis or Valkey of `REDIS_URL`, and what it is.
 *
 * @throws ServerUnusable that says what is wrong with it, without the password, and what to do
 */
export async function checkRedis(url: string): Promise<string> {
  const client = new Redis({
    ...redisOptions(url),
    lazyConnect: true,
    connectTimeout: ANSWER_MS,
    commandTimeout: ANSWER_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let cause: unknown = null;
  // The call itself rejects with "Connection is closed" alone.
  client.on('error', (error) => (cause ??= error));
  try {
    await client.connect();
    const version = fittingVersion(await client.info('server'), url);
    // A replica, a full disk and a user without rights are only told by a write; a database that is not there, by an event.
    await client.set(TRIED_KEY, '', 'PX', ANSWER_MS);
    if (cause !== null) throw cause as Error;
    return version;
  } catch (error) {
    throw error instanceof ServerUnusable ? error : problemOf(connectionFailure(cause ?? error), url);
  } finally {
    client.disconnect();
  }
}

/** Where it is, as a message may say it. */
export function placeOfRedis(url: string): string {
  const { host, port } = redisOptions(url);
  return `Redis at ${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** @throws ServerUnusable where the queue cannot be kept there */
function fittingVersion(facts: string, url: string): string {
  if (/^redis_mode:cluster/m.test(facts)) {
    throw new ServerUnusable(
      `${placeOfRedis(url)} (REDIS_URL) is a node of a cluster, over which the queue cannot be spread. Name a Redis that stands alone. Without REDIS_URL the queue is kept in PostgreSQL.`,
    );
  }
  const version = /^redis_version:(\S+)/m.exec(facts)?.[1] ?? '0';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_VERSION;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return `Redis ${version}`;
  throw new ServerUnusable(
    `${placeOfRedis(url)} (REDIS_URL) is version ${version}; the queue needs ${OLDEST_VERSION.join('.')} or newer. Without REDIS_URL it is kept in PostgreSQL.`,
  );
}

function problemOf({ code = '', message }: NodeJS.ErrnoException, url: string): ServerUnusable {
  const place = `${placeOfRedis(url)} (REDIS_URL)`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new ServerUnusable(
      `${place} cannot be reached: there is no host of that name. Correct REDIS_URL, or start what has the name.`,
      true,
    );
  }
  if (code === 'ECONNREFUSED') {
    return new ServerUnusable(
      `${place} cannot be reached: nothing listens there. Start it, correct REDIS_URL, or leave it out: then the queue is kept in PostgreSQL.`,
      true,
    );
  }
  if (/WRONGPASS|NOAUTH|invalid password|without any password/.test(message)) {
    return new ServerUnusable(
      `${place} refuses the user or the password, or wants one. Correct REDIS_URL: redis://user:password@host:6379.`,
    );
  }
  const mayPass = /timed? ?out|closed|ECONNRESET|EHOSTUNREACH|LOADING/i.test(`${code} ${message}`);
  return new ServerUnusable(
    `${place} cannot be used: ${message}. Correct REDIS_URL, or see to the server and to what is between.`,
    mayPass,
  );
}
