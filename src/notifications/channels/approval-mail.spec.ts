import { describe, expect, it } from 'vitest';

import { approvalMail } from './approval-mail.js';

const request = {
  id: 'apr_1',
  title: 'Remove a member',
  summary: 'Remove Bo (bo@example.com) from the workspace.',
  reason: 'Left.\nBcc: everyone@example.com',
  askedBy: 'Ana',
  environment: 'production',
  approveUrl: 'https://g.example/approvals/apr_1',
  denyUrl: 'https://g.example/approvals/apr_1?decision=deny',
};
const LIST = 'https://g.example/approvals';

const owner = (...requests: (typeof request | (Omit<typeof request, 'askedBy'> & { askedBy: null }))[]) => ({
  email: 'o@example.com',
  name: 'Olga',
  count: requests.length,
  requests,
});

describe('approvalMail', () => {
  it('says what will happen, who asks, why, and where to decide', () => {
    const mail = approvalMail(owner(request), 'Acme', LIST);
    expect(mail.to).toBe('o@example.com');
    expect(mail.subject).toBe('Approval needed in Acme: Remove a member');
    expect(mail.text.split('\n')).toEqual([
      'Remove Bo (bo@example.com) from the workspace.',
      'Asked for by: Ana',
      'Reason:',
      '> Left.',
      '> Bcc: everyone@example.com',
      'Approve or deny: https://g.example/approvals/apr_1',
      '',
      'Without a decision it expires: its page says when.',
    ]);
  });

  it('is not turned around by names', () => {
    const mail = approvalMail(owner({ ...request, askedBy: 'a\u202eb' }), 'Ac\u202eme', LIST);
    expect(mail.subject).toBe('Approval needed in Acme: Remove a member');
    expect(mail.text).toContain('Asked for by: ab\n');
  });

  it('is no longer than a mail is, however long a summary is', () => {
    const summary = `It may reach ${'host.example.com '.repeat(2_000)}`;
    const { text } = approvalMail(owner(...Array(10).fill({ ...request, summary })), 'Acme', LIST);
    expect(text.length).toBeLessThan(45_000);
    expect(text).toContain('… (the rest is on the page of the request)\n');
  });

  it('is one mail for many', () => {
    const mail = approvalMail({ ...owner(request, { ...request, askedBy: null }), count: 3 }, 'Acme', LIST);
    expect(mail.subject).toBe('Approval needed in Acme: 3 requests');
    expect(mail.text).toContain('And 1 more: https://g.example/approvals\n');
    expect(mail.text.match(/Asked for by/g)).toHaveLength(1);
  });
});
