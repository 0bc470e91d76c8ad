import { describe, expect, it } from 'vitest';

import { invitationMail } from './invitation-mail.js';

const LETTER = {
  to: 'ada@example.com',
  workspace: 'Acme',
  inviter: 'Olive',
  link: 'https://gatehouse.example/invitations/x',
  expiresAt: new Date('2030-01-31T12:00:00Z'),
};

describe('invitationMail', () => {
  it('says who invites whom to what, and until when', () => {
    const { to, subject, text } = invitationMail(LETTER);
    expect([to, subject]).toEqual(['ada@example.com', 'Join "Acme" on Gatehouse']);
    expect(text).toContain('Olive invites you to join the workspace "Acme" on Gatehouse.');
    expect(text).toContain('https://gatehouse.example/invitations/x\n');
    expect(text).toContain('for ada@example.com alone and works until 2030-01-31 12:00 UTC');
    expect(invitationMail({ ...LETTER, inviter: null }).text).toContain('Somebody invites you');
  });

  it('is not turned around by names', () => {
    const { subject, text } = invitationMail({ ...LETTER, workspace: 'a\u202eb', inviter: 'דנה' });
    expect(subject).toBe('Join "ab" on Gatehouse');
    expect(text).toContain('\u2068דנה\u2069 invites you to join the workspace "ab" on');
  });
});
