import { describe, expect, it } from 'vitest';

import { PLACEHOLDER, placeholderFor } from './placeholder.js';

describe('a placeholder', () => {
  it.each([
    ['sk-ant-api03-0123456789', /^sk-ant-attachedbygatehouse[a-z]*$/, 108],
    ['sk-0123456789', /^sk-attachedbygatehouse[a-z]*$/, 51],
    ['sk_live_0123456789', /^sk_test_attachedbygatehouse[a-z]*$/, 107],
    ['ghp_0123456789', /^ghp_attachedbygatehouse[a-z]*$/, 40],
    ['github_pat_0123456789', /^github_pat_attachedbygatehouse[a-z]*$/, 93],
    ['xoxb-0123456789', /^xoxb-attachedbygatehouse[a-z]*$/, 56],
    ['AKIA0123456789ABCDEF', /^AKIA[A-Z]{16}$/, 20],
    ['glpat-0123456789', /^glpat-attachedbygatehouse[a-z]*$/, 26],
    ['hunter2', /^attached-by-gatehouse$/, PLACEHOLDER.length],
    ['', /^attached-by-gatehouse$/, PLACEHOLDER.length],
  ])('of %s has its form and nothing else of it', (value, form, length) => {
    const placeholder = placeholderFor(value);
    expect(placeholder).toMatch(form);
    expect(placeholder.length).toBe(length);
    expect(placeholder).not.toMatch(/0123/);
  });

  it('of a JSON web token can be read, and says nothing', () => {
    const secret = ['{"alg":"HS256"}', '{"sub":"somebody"}', 'signature']
      .map((part) => Buffer.from(part).toString('base64url'))
      .join('.');
    const [header, payload, ...rest] = placeholderFor(secret).split('.');
    const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());
    expect(read(header!)).toEqual({ alg: 'none', typ: 'JWT' });
    expect(read(payload!)).toEqual({ sub: PLACEHOLDER, exp: 0 });
    expect(rest.length).toBe(1);
  });
});
