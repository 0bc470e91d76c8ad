import { describe, expect, it } from 'vitest';

import { syslogFrame } from './syslog-message.js';

const record = { number: 7, kind: 'audit', id: 'aud_x', time: new Date('2026-01-31T12:00:00.123Z') } as const;

describe('syslogFrame', () => {
  it('is a message of RFC 5424 with its length in bytes before it', () => {
    const text = syslogFrame({ ...record, action: 'é\n' }, 'host-1').toString();
    const [, length, message] = /^(\d+) (.*)$/s.exec(text)!;
    expect(Buffer.byteLength(message!)).toBe(Number(length));
    expect(message).toBe(
      '<110>1 2026-01-31T12:00:00.123Z host-1 gatehouse - audit [meta sequenceId="7"] ' +
        '{"number":7,"kind":"audit","id":"aud_x","time":"2026-01-31T12:00:00.123Z","action":"é\\n"}',
    );
  });

  it.each([
    [2_147_483_647, 2_147_483_647],
    [2_147_483_648, 1],
  ])('counts as far as the format does: %i', (number, sequenceId) =>
    expect(syslogFrame({ ...record, number }, 'h').toString()).toContain(`sequenceId="${sequenceId}"`),
  );

  it('has a dash where the host has no name that fits', () =>
    expect(syslogFrame(record, 'é ').toString()).toContain('Z - gatehouse'));
});
