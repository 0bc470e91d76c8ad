import type { RedisOptions } from 'ioredis';

import { ServerUnusable } from '../lifecycle/index.js';

/** Where the Redis or Valkey of `REDIS_URL` is. @throws ServerUnusable where that cannot be read */
export function redisOptions(redisUrl: string): RedisOptions & { host: string; port: number } {
  const url = new URL(redisUrl.replace(/^valkey/, 'redis'));
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || 6379),
    // The older one: Redis 5 has no other, and BullMQ is tested with it.
    protocol: 2,
    ...(url.username && { username: decoded(url.username) }),
    ...(url.password && { password: decoded(url.password) }),
    ...(url.pathname.length > 1 && { db: databaseOf(url) }),
    ...(url.protocol === 'rediss:' && { tls: { servername: url.hostname } }),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ServerUnusable(
      'REDIS_URL cannot be read: a % in its user or password begins no character. Write it as %25.',
    );
  }
}

function databaseOf({ pathname }: URL): number {
  const number = pathname.slice(1);
  if (/^\d+$/.test(number)) return Number(number);
  throw new ServerUnusable(
    'REDIS_URL cannot be read: what follows its host is not the number of a database, as in redis://host:6379/1.',
  );
}
