import { parse } from 'pg-connection-string';
import { describe, expect, it } from 'vitest';

import { postgresqlConf, socketFits, urlOf } from './server-settings.js';

describe('urlOf', () => {
  it('names the socket so that any client, and a plain URL parser, understands it', () => {
    const url = urlOf({ kind: 'socket', directory: '/srv/a b/%/postgres' }, 'pass-word_1');
    expect(new URL(url).protocol).toBe('postgresql:');
    expect(parse(url)).toMatchObject({
      host: '/srv/a b/%/postgres',
      port: '5432',
      user: 'gatehouse',
      password: 'pass-word_1',
      database: 'gatehouse',
    });
  });

  it('stays on loopback where it uses a port', () => {
    expect(urlOf({ kind: 'tcp', port: 40000 }, 'p')).toBe(
      'postgresql://gatehouse:p@127.0.0.1:40000/gatehouse',
    );
  });
});

describe('socketFits', () => {
  it('counts bytes, not characters', () => {
    expect(socketFits('/' + 'a'.repeat(92))).toBe(true);
    expect(socketFits('/' + 'a'.repeat(93))).toBe(false);
    expect(socketFits('/' + 'ü'.repeat(47))).toBe(false);
  });
});

describe('postgresqlConf', () => {
  it('opens no port where it has a socket', () => {
    const conf = postgresqlConf({ kind: 'socket', directory: '/d' });
    expect(conf).toContain("listen_addresses = ''\n");
    expect(conf).toContain("fsync = 'on'\n");
  });

  it('lets settings be overridden, and quotes them', () => {
    const conf = postgresqlConf({ kind: 'tcp', port: 1 }, { fsync: 'off', cluster_name: `it's \\` });
    expect(conf).toContain("fsync = 'off'\n");
    expect(conf).toContain("cluster_name = 'it''s \\\\'\n");
    expect(conf).toContain("listen_addresses = '127.0.0.1'\n");
  });
});
