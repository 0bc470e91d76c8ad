import { describe, expect, it } from 'vitest';

import { assertMayDecide, assertSecondPerson, decidableRoles } from './who-may-decide.js';

describe('who may decide', () => {
  it('goes down from owners', () => {
    expect(decidableRoles('owner')).toEqual(['member', 'admin', 'owner']);
    expect(decidableRoles('admin')).toEqual(['member', 'admin']);
    expect(decidableRoles('member')).toEqual(['member']);
    expect(decidableRoles('guest')).toEqual([]);
  });

  it('is who asked as well, unless it takes a second person', () => {
    const own = { mayDecide: true, behindUserId: 'usr_a' };
    expect(() => assertMayDecide(own, 'usr_a', false)).not.toThrow();
    expect(() => assertMayDecide(own, 'usr_a', true)).toThrow(expect.objectContaining({ code: 'forbidden' }));
    expect(() => assertMayDecide(own, 'usr_b', true)).not.toThrow();
    expect(() => assertMayDecide({ ...own, mayDecide: false }, 'usr_b', false)).toThrow(/role/);
  });

  it('takes somebody else, and two where it is unknown who asked', () => {
    expect(() => assertSecondPerson('usr_a', 1)).not.toThrow();
    expect(() => assertSecondPerson('usr_a', 0)).toThrow(expect.objectContaining({ code: 'conflict' }));
    expect(() => assertSecondPerson(null, 1)).toThrow(expect.objectContaining({ code: 'conflict' }));
    expect(() => assertSecondPerson(null, 2)).not.toThrow();
  });
});
