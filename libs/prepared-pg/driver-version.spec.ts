import { describe, expect, it } from 'vitest';

import { assertDriverVersion } from './driver-version.js';

describe('the version of pg', () => {
  it('is the one that prepared statements were tried with', () => {
    expect(() => assertDriverVersion()).not.toThrow();
  });

  it('is refused in words when it is another', () => {
    expect(() => assertDriverVersion('8.24.0')).toThrow('pg 8.24.0 is installed');
  });
});
