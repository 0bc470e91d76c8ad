import { describe, expect, it } from 'vitest';

import { type OpenSecret, planSecrets } from './secret-plan.js';

const KEY = { header: 'Authorization', hosts: ['api.stripe.com', '*.example.com'], value: 'Bearer {secret}' };
const open = (fields: Partial<OpenSecret> = {}): OpenSecret => ({
  value: 'sk_live_12345',
  kind: 'text',
  hosts: ['api.stripe.com'],
  allowEnv: false,
  ...fields,
});

describe('planSecrets', () => {
  it('attaches a secret where both the version and the value say so, and puts a placeholder into the environment', () => {
    const opened = new Map([['KEY', open({ hosts: ['x.example.com', 'other.com'] })]]);
    const result = planSecrets({ secrets: { KEY }, env: [] }, opened, 'production');
    expect(result).toMatchObject({
      plan: {
        attached: [
          { name: 'KEY', header: 'Authorization', template: 'Bearer {secret}', value: 'sk_live_12345' },
        ],
        env: {},
        placeholders: { KEY: expect.stringMatching(/^sk_test_attachedbygatehouse/) },
      },
    });
    const [attached] = 'plan' in result ? result.plan.attached : [];
    expect(attached!.hosts.patterns.map(({ text }) => text)).toEqual(['x.example.com']);
    expect(attached!.hosts.matches('api.stripe.com', 443)).toBe(false);
  });

  it('gives the value itself where the code reads it, also if it is attached besides', () => {
    const opened = new Map([['KEY', open({ allowEnv: true })]]);
    const result = planSecrets({ secrets: { KEY }, env: ['KEY'] }, opened, 'production');
    expect(result).toMatchObject({ plan: { env: { KEY: 'sk_live_12345' }, placeholders: {} } });
  });

  it('has requests signed where the value is AWS keys, and shows programs keys of nobody', () => {
    const keys = '{"accessKeyId":"AKIAREAL1","secretAccessKey":"real-secret"}';
    const opened = new Map([['KEY', open({ kind: 'aws', value: keys })]]);
    const uses = { secrets: { KEY: { ...KEY, value: 'AWS4-HMAC-SHA256 {secret}' } }, env: [] };
    const result = planSecrets(uses, opened, 'production');
    expect(result).toMatchObject({
      plan: {
        attached: [{ name: 'KEY', header: 'Authorization', signing: 'aws', value: keys }],
        env: {},
        placeholders: {
          KEY: 'attached-by-gatehouse',
          AWS_ACCESS_KEY_ID: 'AKIAGATEHOUSEATTACHED',
          AWS_SECRET_ACCESS_KEY: expect.stringMatching(/^[a-z]{40}$/),
        },
      },
    });
    expect('plan' in result && result.plan.attached[0]).not.toHaveProperty('template');
  });

  it.each([
    ['aws', '{secret}', 'holds AWS keys, which are never sent'],
    ['aws', 'Bearer {secret}', 'holds AWS keys, which are never sent'],
    ['text', 'AWS4-HMAC-SHA256 {secret}', 'is a text, and only one of the kind aws can sign'],
  ] as const)('fails for a secret of the kind %s with the template %s', (kind, value, words) => {
    const opened = new Map([['KEY', open({ kind })]]);
    const result = planSecrets({ secrets: { KEY: { ...KEY, value } }, env: [] }, opened, 'production');
    expect(result).toEqual({ problem: expect.stringContaining(`the secret KEY ${words}`) });
  });

  it('keeps names that every object has', () => {
    const opened = new Map([['__proto__', open({ allowEnv: true })]]);
    const result = planSecrets({ secrets: {}, env: ['__proto__'] }, opened, 'production');
    expect('plan' in result && Object.entries(result.plan.env)).toEqual([['__proto__', 'sk_live_12345']]);
  });

  it('is empty for a version that asks for nothing', () => {
    expect(planSecrets({ secrets: {}, env: [] }, new Map(), 'production')).toEqual({
      plan: { attached: [], signIns: [], env: {}, placeholders: {} },
    });
  });

  it.each([
    [{ KEY }, [], {}, 'the secret KEY has no value in staging'],
    [{}, ['KEY'], {}, 'the secret KEY has no value in staging'],
    [
      { KEY },
      [],
      { KEY: open({ hosts: ['a.com', 'b.com'] }) },
      'the secret KEY may go to no host of this version in staging: its value there is for a.com, b.com',
    ],
    [
      { KEY },
      [],
      { KEY: open({ hosts: [] }) },
      'the secret KEY may go to no host of this version in staging: its value there is for no host',
    ],
    [
      {},
      ['KEY'],
      { KEY: open() },
      'the secret KEY may not be read as an environment variable in staging: its allowEnv is false',
    ],
  ])('fails, naming secret and environment: %j %j', (secrets, env, opened, problem) => {
    const uses = { secrets: secrets as Record<string, typeof KEY>, env };
    expect(planSecrets(uses, new Map(Object.entries(opened)), 'staging')).toEqual({ problem });
  });
});
