import { describe, expect, it } from 'vitest';

import { hashToken, issueToken, tokenKind } from './tokens.js';

describe('tokens', () => {
  it('have the prefix of their kind and 43 base62 characters', () => {
    expect(issueToken('apiKey').token).toMatch(/^svc_sk_[0-9A-Za-z]{43}$/);
    expect(issueToken('personal').token).toMatch(/^svc_pat_[0-9A-Za-z]{43}$/);
  });

  it('are recognised, and a mistyped one is not', () => {
    const { token } = issueToken('personal');
    expect(tokenKind(token)).toBe('personal');
    const wrong = token[20] === 'a' ? 'b' : 'a';
    expect(tokenKind(token.slice(0, 20) + wrong + token.slice(21))).toBeNull();
    expect(tokenKind(`${token}x`)).toBeNull();
    expect(tokenKind(token.replace('svc_pat_', 'svc_sk_'))).toBeNull();
    expect(tokenKind('')).toBeNull();
  });

  it('are stored as SHA-256 and shown by their last four characters', () => {
    const issued = issueToken('apiKey');
    expect(issued.hash).toEqual(hashToken(issued.token));
    expect(issued.hash).toHaveLength(32);
    expect(issued.token.endsWith(issued.last4)).toBe(true);
  });
});
