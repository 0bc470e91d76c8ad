import { describe, expect, it } from 'vitest';

import { MAX_VALUE_BYTES, kindProblem, valueProblem, valueWarning } from './secret.rules.js';

describe('valueProblem', () => {
  it('takes 1 to 65,536 bytes of whatever text', () => {
    expect(valueProblem('')).toMatch(/empty/);
    expect(valueProblem(' ')).toBeNull();
    expect(valueProblem('a'.repeat(MAX_VALUE_BYTES))).toBeNull();
    expect(valueProblem('a'.repeat(MAX_VALUE_BYTES + 1))).toMatch(/65536/);
    expect(valueProblem('é'.repeat(MAX_VALUE_BYTES / 2 + 1))).toMatch(/65536/);
  });
});

describe('valueWarning', () => {
  it.each([
    ['12345', true],
    ['123456', false],
    ['😀😀😀', true],
  ])('%s: %s', (value, warns) => expect(valueWarning('text', value) !== null).toBe(warns));

  it('looks at the password of a sign-in', () => {
    const value = (password: string) => JSON.stringify({ user: 'someone', password });
    expect(valueWarning('postgres', value('short'))).not.toBeNull();
    expect(valueWarning('postgres', value('long enough'))).toBeNull();
  });
});

describe('kindProblem', () => {
  const keys = {
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  };

  it('takes any text, and keys with or without a token', () => {
    expect(kindProblem('text', '{')).toBe(null);
    expect(kindProblem('aws', JSON.stringify(keys))).toBe(null);
    expect(kindProblem('aws', JSON.stringify({ ...keys, sessionToken: 'FwoGZXIvYXdzEJr//==' }))).toBe(null);
  });

  it.each<[unknown, string]>([
    ['AKIAIOSFODNN7EXAMPLE', 'must be JSON with accessKeyId and secretAccessKey'],
    [null, 'must be JSON'],
    [[keys], 'must be JSON'],
    [
      { AccessKeyId: 'AKIAIOSFODNN7EXAMPLE' },
      'must have no other fields than accessKeyId, secretAccessKey, sessionToken',
    ],
    [{ accessKeyId: keys.accessKeyId }, 'must have secretAccessKey, a text'],
    [{ ...keys, accessKeyId: 'AKIA' }, 'an accessKeyId that is not 6 to 256 characters long'],
    [{ ...keys, secretAccessKey: 'short' }, 'a secretAccessKey that is not 6 to 256'],
    [{ ...keys, accessKeyId: 'AKIAIOSFODNN7/us' }, 'characters in accessKeyId that no key has'],
    [{ ...keys, secretAccessKey: 'with a line\nbreak' }, 'characters in secretAccessKey'],
    [{ ...keys, sessionToken: '' }, 'a sessionToken that is not'],
    [{ ...keys, sessionToken: null }, 'must have sessionToken, a text'],
  ])('refuses %j', (value, problem) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    expect(kindProblem('aws', text)).toContain(problem);
    expect(kindProblem('aws', text)).not.toContain('wJalr');
  });
});
