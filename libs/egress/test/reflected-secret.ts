import { expect } from 'vitest';

export const SECRET = 'sk/live+4eC39"HqLyj WDarjtT1zdp7dc';

/** The secret in every form that it is searched for in. */
export function reflected(): string {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  return JSON.stringify({
    raw: SECRET,
    base64: [
      base64(SECRET),
      base64(`a${SECRET}`),
      base64(`ab${SECRET}z`),
      Buffer.from(SECRET).toString('base64url'),
    ],
    url: [
      encodeURIComponent(SECRET),
      new URLSearchParams({ a: SECRET }).toString(),
      encodeURIComponent(SECRET).replace(/%../g, (code) => code.toLowerCase()),
    ],
    nested: JSON.stringify({ a: SECRET }).slice(1, -1),
    hex: [Buffer.from(SECRET).toString('hex'), Buffer.from(SECRET).toString('hex').toUpperCase()],
    html: SECRET.replace('"', '&quot;'),
  });
}

/** Whether a text has been masked, and holds no part of the secret in any form. */
export function expectClean(text: string): void {
  expect(text).toContain('***');
  expect(text).not.toContain('4eC39');
  expect(text.toLowerCase()).not.toContain('%2blive');
  expect(text).not.toContain(Buffer.from(SECRET.slice(3, 24)).toString('base64').slice(2, 20));
  expect(text).not.toContain('HqLyj');
  expect(text.toLowerCase()).not.toContain(Buffer.from('4eC39').toString('hex').toLowerCase());
}
