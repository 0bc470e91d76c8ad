import { describe, expect, it } from 'vitest';

import { type DraftFile, EMPTY_SETTINGS } from './draft.js';
import { fingerprintOf } from './fingerprint.js';
import { versionSettings } from './version-body.js';

const secret = { name: 'KEY', header: 'authorization', value: 'Bearer {secret}', hosts: ['api.example.com'] };

describe('the settings of a version', () => {
  it('leave out what was left empty, so that the service works it out', () => {
    expect(versionSettings(EMPTY_SETTINGS)).toEqual({ timeout: 30 });
  });

  it('are what was typed', () => {
    const settings = {
      ...EMPTY_SETTINGS,
      command: ' python a.py ',
      inputSchema: '{"type":"object"}',
      secrets: [secret],
    };
    expect(versionSettings(settings)).toEqual({
      command: 'python a.py',
      inputSchema: { type: 'object' },
      secrets: { KEY: { header: 'authorization', value: 'Bearer {secret}', hosts: ['api.example.com'] } },
      timeout: 30,
    });
  });

  it('keep the rules of the hosts that are still there', () => {
    const rule = { host: 'api.example.com', methods: ['GET'], paths: ['/v1/*'] };
    const hostRules = [rule, { ...rule, methods: ['POST'] }, { ...rule, host: 'gone.example.com' }];
    const settings = { ...EMPTY_SETTINGS, hosts: ['plain.example.com', 'api.example.com'], hostRules };
    expect(versionSettings(settings)).toEqual({
      hosts: ['plain.example.com', rule, { ...rule, methods: ['POST'] }],
      timeout: 30,
    });
  });

  it.each([
    ['inputSchema', { inputSchema: '{' }],
    ['inputSchema', { inputSchema: '[]' }],
    ['outputSchema', { outputSchema: '"x"' }],
    ['secrets', { secrets: [secret, secret] }],
    ['secrets', { secrets: [{ ...secret, header: '' }] }],
    ['secrets', { secrets: [{ ...secret, value: 'Bearer' }] }],
  ])('say at %s what must be mended', (path, wrong) => {
    expect(versionSettings({ ...EMPTY_SETTINGS, ...wrong })).toEqual([{ path, message: expect.any(String) }]);
  });
});

describe('a secret that signs in', () => {
  const signIn = { ...secret, header: '', value: '{secret}', hosts: [] };
  const hostRules = [
    { host: 'db.example.com:5432', methods: null, paths: null, protocol: 'postgres' as const },
  ];

  it('needs no header', () => {
    const settings = { ...EMPTY_SETTINGS, hosts: ['db.example.com:5432'], hostRules, secrets: [signIn] };
    expect(versionSettings(settings)).toMatchObject({ secrets: { KEY: {} } });
  });

  it.each([
    ['no host', []],
    ['a host that is gone', hostRules],
  ])('says that it needs a host of PostgreSQL where there is %s', (_, rules) => {
    const settings = { ...EMPTY_SETTINGS, hosts: ['api.example.com'], hostRules: rules, secrets: [signIn] };
    const message = 'KEY needs a header or, to sign in with it, a host whose protocol is PostgreSQL.';
    expect(versionSettings(settings)).toEqual([{ path: 'secrets', message }]);
  });
});

describe('whether something has changed', () => {
  const files: DraftFile[] = [{ path: 'a.py', content: 'a', executable: false }];
  const before = fingerprintOf(files, { timeout: 30 });
  const changed = (change: Partial<DraftFile>) =>
    fingerprintOf([{ ...files[0]!, ...change }], { timeout: 30 });

  it('is no for the same content in other objects', () => {
    expect(changed({})).toBe(before);
  });

  it('is yes for another text, name, mode, kind, file or setting', () => {
    const all = [
      before,
      changed({ content: 'b' }),
      changed({ path: 'b.py' }),
      changed({ executable: true }),
      changed({ content: new Uint8Array([97]) }),
      fingerprintOf([...files, { ...files[0]!, path: 'b' }], { timeout: 30 }),
      fingerprintOf(files, { timeout: 31 }),
      fingerprintOf([], { timeout: 30 }),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});
