import { describe, expect, it } from 'vitest';

import { leastRoleFor, scriptIn } from './event-audience.js';

describe('leastRoleFor', () => {
  it.each([
    ['run.failed', 'member'],
    ['workspace.member.joined', 'member'],
    ['ping', 'member'],
    ['workspace.invitation.created', 'admin'],
    ['approval.requested', 'admin'],
    ['webhook_endpoint.disabled', 'admin'],
  ])('%s: %s', (type, role) => {
    expect(leastRoleFor(type)).toBe(role);
  });
});

describe('scriptIn', () => {
  it('finds the script that an event is about', () => {
    expect(scriptIn({ script: { id: 'scr_1' } })).toBe('scr_1');
    for (const data of [{}, { script: null }, { script: 'scr_1' }, { script: { id: 1 } }]) {
      expect(scriptIn(data)).toBeNull();
    }
  });
});
