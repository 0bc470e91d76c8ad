import { describe, expect, it } from 'vitest';

import { AUDIT_DETAILS, shownDetails } from './audit-details.js';
import { AUDIT_ACTIONS } from './audit.actions.js';

describe('the details of the audit trail', () => {
  it('are decided for each action', () => {
    expect(Object.keys(AUDIT_DETAILS).sort()).toEqual(Object.keys(AUDIT_ACTIONS).sort());
  });

  it('are shown by no name that a value of a secret or a credential has', () => {
    const keys = Object.values(AUDIT_DETAILS).flatMap((line) => line.shown);
    const credential = /secret|password|token|hash|value|code|reference|address/i;
    // Which secrets a version uses, by their names.
    expect([...new Set(keys.filter((key) => credential.test(key)))]).toEqual(['secrets']);
  });
});

describe('shownDetails', () => {
  it('has the named keys and no other', () => {
    const details = { name: 'CI', token: 'gh_pat_x', toString: 'x' };
    expect(shownDetails(details, ['name', 'missing', 'constructor'])).toEqual({ name: 'CI' });
    expect(shownDetails(details, [])).toEqual({});
  });

  it('says of what is long that it is there', () => {
    expect(shownDetails({ hosts: Array(500).fill('api.example'), slug: 'x' }, ['hosts', 'slug'])).toEqual({
      hosts: '…',
      slug: 'x',
    });
  });
});
