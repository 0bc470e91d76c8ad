import type { RedisOptions } from 'ioredis';

/** Where the Redis or Valkey of `REDIS_URL` is. */
export function redisOptions(redisUrl: string): RedisOptions & { host: string; port: number } {
  const url = new URL(redisUrl.replace(/^valkey/, 'redis'));
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || 6379),
    ...(url.username && { username: decodeURIComponent(url.username) }),
    ...(url.password && { password: decodeURIComponent(url.password) }),
    ...(url.pathname.length > 1 && { db: Number(url.pathname.slice(1)) }),
    ...(url.protocol === 'rediss:' && { tls: { servername: url.hostname } }),
  };
}
