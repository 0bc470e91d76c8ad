import { describe, expect, it } from 'vitest';

import { confine, explainConfinementFailure } from './confinement.js';

describe('confine', () => {
  it('hands on nothing of our environment', () => {
    process.env['CONFINEMENT_SECRET'] = 'x';
    for (const kind of ['none', 'user-namespace', 'mounts-then-user-namespace'] as const) {
      const { env, args } = confine(
        kind,
        ['/pg/bin/postgres', '-D', '/data/postgres'],
        '/pg',
        '/data/postgres',
      );
      expect(Object.keys(env).sort()).not.toContain('CONFINEMENT_SECRET');
      expect(args.slice(-2)).toEqual(['-D', '/data/postgres']);
    }
    delete process.env['CONFINEMENT_SECRET'];
  });

  it('lets only the one directory be written to', () => {
    const { file, args } = confine('user-namespace', ['/pg/bin/postgres'], '/pg', '/data/postgres');
    expect(file).toBe('bwrap');
    expect(args.flatMap((arg, at) => (arg === '--bind' ? [args[at + 1]] : []))).toEqual(['/data/postgres']);
  });
});

describe('explainConfinementFailure', () => {
  it('says what to do where user namespaces are forbidden', () => {
    const output =
      'bwrap: No permissions to create new namespace, likely because the kernel does not allow it\n';
    expect(explainConfinementFailure(output)).toMatch(
      /No permissions.*user\.max_user_namespaces.*DATABASE_URL/s,
    );
  });

  it('leaves a failure of the database itself alone', () => {
    expect(explainConfinementFailure('FATAL: could not open file')).toBeNull();
  });
});
