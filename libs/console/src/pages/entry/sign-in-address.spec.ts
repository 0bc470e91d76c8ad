import { describe, expect, it } from 'vitest';

import { addressOf, ownPage, readAddress } from './sign-in-address.js';

const ORIGIN = 'https://scripts.example';

describe('the address of the sign-in page', () => {
  it.each([
    ['/sign-in', { next: '/', email: '', problem: null }],
    ['/sign-in?next=%2Fw%2Facme%2F-%2Fruns%3Fstate%3Dfailed', { next: '/w/acme/-/runs?state=failed' }],
    ['/sign-in?email=ada%40example.com&problem=expired', { email: 'ada@example.com', problem: 'expired' }],
    ['/', { next: '/' }],
    ['', { next: '/' }],
    ['/sign-in?next=', { next: '/' }],
    ['/sign-in?next=%2F%2Fevil.example', { next: '/' }],
    ['/w/acme/-/runs?state=failed#top', { next: '/w/acme/-/runs?state=failed#top', problem: null }],
  ])('is read from %s', (address, said) => {
    for (const base of ['', '/gatehouse']) {
      expect(readAddress(new URL(base + address, ORIGIN), base)).toMatchObject(said);
    }
  });

  it.each(['/sign-in', '/sign-in?next=%2Fw%2Facme&email=a%40example.com&problem=expired'])(
    'is %s again',
    (address) => {
      expect(addressOf(readAddress(new URL(address, ORIGIN), ''))).toBe(address);
    },
  );
});

describe('the page after signing in', () => {
  it.each([
    ['/w/acme/-/runs?state=failed#top', '', `${ORIGIN}/w/acme/-/runs?state=failed#top`],
    ['/w/acme', '/gatehouse', `${ORIGIN}/gatehouse/w/acme`],
  ])('is %s', (next, base, page) => {
    expect(ownPage(next, ORIGIN, base)).toBe(page);
  });

  it.each([
    ...['//evil.example', '/\\evil.example', '/\t/evil.example', '\t//evil.example', '/\n/evil.example'],
    ...['https://evil.example', 'javascript:alert(1)', '', '.evil.example', '@evil.example', ':1'],
  ])('is never %j', (next) => {
    expect(ownPage(next, ORIGIN, '')).toBe(`${ORIGIN}/`);
  });

  it.each(['/../elsewhere', '/..', '/%2e%2e/elsewhere', '\\..\\elsewhere'])(
    'is not %j, outside of the path that the service has',
    (next) => {
      expect(ownPage(next, ORIGIN, '/gatehouse')).toBe(`${ORIGIN}/gatehouse/`);
    },
  );
});
