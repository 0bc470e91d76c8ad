import { describe, expect, it } from 'vitest';

import { assertLibraryVersion } from './library-version.js';

describe('the version of oidc-provider', () => {
  it('is the one that own sessions and tokens were tried with', () => {
    expect(() => assertLibraryVersion()).not.toThrow();
  });

  it('is refused in words when it is another', () => {
    expect(() => assertLibraryVersion('9.14.0')).toThrow('oidc-provider 9.14.0 is installed');
  });
});
