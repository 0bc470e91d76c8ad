import { describe, expect, it } from 'vitest';

import { newId } from '../core/crypto/index.js';
import { ENVIRONMENT_NAME } from './environment-name.js';

describe('ENVIRONMENT_NAME', () => {
  it.each(['p', 'production', 'EU West 1', 'a.b_c-d', '0', 'env_staging', 'a'.repeat(100), 'trailing.'])(
    'takes %j',
    (name) => expect(ENVIRONMENT_NAME.test(name)).toBe(true),
  );

  it.each([
    '',
    ' a',
    'a ',
    '-a',
    '.a',
    'a/b',
    'a,b',
    'Zoë',
    'a\n',
    'a\tb',
    '名前',
    'a'.repeat(101),
    newId('environment'),
  ])('refuses %j', (name) => expect(ENVIRONMENT_NAME.test(name)).toBe(false));
});
