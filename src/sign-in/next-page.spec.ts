import { describe, expect, it } from 'vitest';

import { isOwnPage } from './next-page.js';

describe('the page after signing in', () => {
  it.each(['/', '/w/acme/-/scripts?a=//b&c=https://d#e', '/%5C%2F', '/:80', '/a//b'])('may be %s', (next) => {
    expect(isOwnPage(next)).toBe(true);
  });

  it.each([
    '',
    'w/acme',
    '//evil.example',
    '/\\evil.example',
    '/a\\b',
    '/\t/evil.example',
    ' /',
    '/ü',
    'https://evil.example',
    'javascript:alert(1)',
    `/${'a'.repeat(2000)}`,
  ])('cannot be %j', (next) => {
    expect(isOwnPage(next)).toBe(false);
  });
});
