import { describe, expect, it } from 'vitest';

import { AWS, BEARER, basicUse, basicUserOf, secretUseForm } from './secret-use-form.js';

describe('the form in which a secret is used', () => {
  it.each([
    ['bearer', BEARER],
    ['bearer', { header: 'Authorization', value: 'Bearer {secret}' }],
    ['basic', basicUse('x-access-token')],
    ['basic', basicUse('')],
    ['aws', AWS],
    ['own', { header: 'x-api-key', value: '{secret}' }],
    ['own', { header: 'x-api-key', value: 'Bearer {secret}' }],
    ['own', { header: 'authorization', value: 'Basic {secret}' }],
    ['own', { header: 'authorization', value: 'Basic {base64:{secret}:x}' }],
  ] as const)('is %s for %j', (form, use) => {
    expect(secretUseForm(use)).toBe(form);
  });

  it('has the user of Basic credentials', () => {
    expect(basicUserOf(basicUse('git').value)).toBe('git');
    expect(basicUserOf(BEARER.value)).toBeNull();
  });
});
