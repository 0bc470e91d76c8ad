import { expect, test } from 'vitest';

import { lastUsed } from './last-used.js';
import { usageOf } from './secret-uses.js';
import { contentOf } from './typed-value.js';

const use = {
  script: { slug: 'bill', name: 'Bill' },
  version: 3,
  hosts: ['api.stripe.com'],
  form: 'own' as const,
};

test('says what a version does with a secret', () => {
  expect(usageOf({ ...use, header: 'authorization', env: false })).toBe(
    'sends it to api.stripe.com in the header authorization',
  );
  expect(usageOf({ ...use, header: 'authorization', form: 'aws', env: false })).toBe(
    'signs requests to api.stripe.com with it',
  );
  expect(usageOf({ ...use, header: null, env: true })).toBe('reads it as an environment variable');
  expect(usageOf({ ...use, header: 'x-key', env: true })).toContain(', and reads it');
});

test('finds the latest use in any environment', () => {
  expect(lastUsed([])).toBeNull();
  expect(
    lastUsed([
      { lastUsedAt: '2026-01-02T00:00:00Z' },
      { lastUsedAt: null },
      { lastUsedAt: '2026-01-03T00:00:00Z' },
    ]),
  ).toBe('2026-01-03T00:00:00Z');
});

const NO_SIGN_IN = { user: '', password: '', database: '', sslmode: 'verify-full', ca: '' };

test('makes a value of what was typed', () => {
  const typed = {
    ...{ value: ' as it is ', accessKeyId: ' AKIA1 ', secretAccessKey: 'key\n', sessionToken: ' ' },
    ...{ source: '', reference: '' },
    ...NO_SIGN_IN,
  };
  expect(contentOf({ kind: 'text', ...typed })).toEqual({ value: ' as it is ' });
  expect(contentOf({ kind: 'aws', ...typed })).toEqual({
    value: '{"accessKeyId":"AKIA1","secretAccessKey":"key"}',
  });
  const signIn = { ...NO_SIGN_IN, user: ' app ', password: ' kept ' };
  expect(JSON.parse(contentOf({ kind: 'postgres', ...typed, ...signIn }).value!)).toEqual({
    ...{ user: 'app', password: ' kept ', sslmode: 'verify-full' },
  });
  const temporary = contentOf({ kind: 'aws', ...typed, sessionToken: 't' });
  expect(JSON.parse(temporary.value!)).toHaveProperty('sessionToken', 't');
});

test('sends no value where it is read from elsewhere', () => {
  const typed = {
    value: 'typed before',
    accessKeyId: '',
    secretAccessKey: '',
    sessionToken: '',
    ...NO_SIGN_IN,
  };
  expect(contentOf({ kind: 'text', ...typed, source: 'vault', reference: ' a/b#key ' })).toEqual({
    source: 'vault',
    reference: 'a/b#key',
  });
});
