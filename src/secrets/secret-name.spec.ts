import { describe, expect, it } from 'vitest';

import { secretNameProblem } from './secret-name.js';

describe('secretNameProblem', () => {
  it.each(['STRIPE_KEY', 'a', '_x', 'A'.repeat(64), 'CA_NAME', 'MY_PATH'])('%s is fine', (name) => {
    expect(secretNameProblem(name)).toBeNull();
  });

  it.each([
    '',
    '1A',
    'A-B',
    'A B',
    'A'.repeat(65),
    'PATH',
    'LD_PRELOAD',
    'NODE_OPTIONS',
    'PYTHONPATH',
    'AWS_CA_BUNDLE',
    'SSL_CERT_FILE',
    'GATEHOUSE_INPUTS',
    'é',
    '__proto__\n',
  ])('%j is not', (name) => {
    expect(secretNameProblem(name)).not.toBeNull();
  });
});
