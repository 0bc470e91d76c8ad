import { describe, expect, it } from 'vitest';
import { valuesOfSecret } from './secret-values.js';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('what gives a secret away', () => {
  it.each<[string, { value: string; template?: string; userIsPublic?: boolean }, string[]]>([
    ['is its value', { value: 'sk_live_1', template: 'Bearer {secret}' }, ['sk_live_1']],
    [
      'is what follows the scheme where the value names it',
      { value: 'Bearer sk_live_1' },
      ['Bearer sk_live_1', 'sk_live_1'],
    ],
    [
      'are the halves of Basic credentials',
      { value: base64('user-name:pass-word'), template: 'Basic {secret}' },
      [base64('user-name:pass-word'), 'user-name:pass-word', 'user-name', 'pass-word'],
    ],
    [
      'are the halves of a value with the scheme in it; a password may hold a colon',
      { value: `basic ${base64('sk_live_1:a:b')}` },
      [`basic ${base64('sk_live_1:a:b')}`, base64('sk_live_1:a:b'), 'sk_live_1:a:b', 'sk_live_1', 'a:b'],
    ],
    [
      'is not a user name that everybody knows',
      { value: `Basic ${base64('user:password')}`, userIsPublic: true },
      [`Basic ${base64('user:password')}`, base64('user:password'), 'user:password', 'password'],
    ],
    [
      'is what a template encodes with it, and not what it adds',
      { value: 'tok_live_1', template: 'Basic {base64:x-access-token:{secret}}' },
      ['tok_live_1', 'x-access-token:tok_live_1', base64('x-access-token:tok_live_1')],
    ],
    ['is a passphrase as a whole', { value: 'two words' }, ['two words']],
  ])('%s', (_, secret, values) => expect(valuesOfSecret(secret)).toEqual(values));
});
