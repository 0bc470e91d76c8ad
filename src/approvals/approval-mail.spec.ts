import { describe, expect, it } from 'vitest';

import { approvalMail } from './approval-mail.js';

const request = {
  id: 'apr_1',
  title: 'Remove a member',
  summary: 'Remove Bo (bo@example.com) from the workspace.',
  reason: 'Left.\nBcc: everyone@example.com',
  askedBy: 'Ana',
};

describe('approvalMail', () => {
  it('says what will happen, who asks, why, and where to decide', () => {
    const mail = approvalMail(
      { email: 'o@example.com', workspace: 'Acme', count: 1, requests: [request] },
      'https://g.example',
    );
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
      'It expires after 24 hours without a decision.',
    ]);
  });

  it('is not turned around by names', () => {
    const requests = [{ ...request, askedBy: 'a\u202eb' }];
    const mail = approvalMail(
      { email: 'o@example.com', workspace: 'Ac\u202eme', count: 1, requests },
      'https://g.example',
    );
    expect(mail.subject).toBe('Approval needed in Acme: Remove a member');
    expect(mail.text).toContain('Asked for by: ab\n');
  });

  it('is one mail for many', () => {
    const mail = approvalMail(
      {
        email: 'o@example.com',
        workspace: 'Acme',
        count: 3,
        requests: [request, { ...request, askedBy: null }],
      },
      'https://g.example',
    );
    expect(mail.subject).toBe('Approval needed in Acme: 3 requests');
    expect(mail.text).toContain('And 1 more: https://g.example/approvals\n');
    expect(mail.text.match(/Asked for by/g)).toHaveLength(1);
  });
});
