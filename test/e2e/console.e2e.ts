import { existsSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { client } from '../support/gatehouse.js';

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
/** Where it is not built, the service says so and how to do it. */
const BUILT = existsSync(new URL('../../libs/console/dist/index.html', import.meta.url));

describe('the console', () => {
  it.each([
    '/',
    '/approvals/apr_01k2m3n4p5q6r7s8t9v0w1x2y3',
    '/invitations/x',
    '/reset-password/x',
    '/acme/runs',
  ])('is what a browser gets at %s', async (path) => {
    const { status, headers, text } = await client().get(path, HTML);
    expect(status).toBe(BUILT ? 200 : 503);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(text).toContain(BUILT ? 'id="root"' : 'npm run build');
    expect(text).not.toMatch(/__[A-Z_]+__/);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*frame-ancestors 'none'$/);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-cache');
  });

  it.each([
    ['/sign-in', {}, true],
    ['/', {}, true],
    ['/w/acme/-/runs', {}, true],
    ['/account', {}, true],
    ['/approvals/apr_01k2m3n4p5q6r7s8t9v0w1x2y3', {}, true],
    ['/', { cookie: 'gatehouse_session=any' }, false],
    ['/w/acme/-/runs', { cookie: 'gatehouse_session=any' }, false],
    ['/invitations/x', {}, false],
    ['/sign-in-link', {}, false],
  ])('is the page to sign in at %s for who brings %j: %s', async (path, headers, isSignIn) => {
    const { text } = await client().get(path, { ...HTML, ...headers });
    if (BUILT) expect(text.includes('<title>Sign in')).toBe(isSignIn);
  });

  it.each(['/v1/nowhere', '/docs/nowhere', '/health/nowhere', '/.well-known/nowhere', '/assets/nowhere.js'])(
    'is not at %s',
    async (path) => {
      const { status, body } = await client().get(path, HTML);
      expect([status, body.error.code]).toEqual([404, 'not_found']);
    },
  );

  it('is for browsers that read: a program is told that there is nothing', async () => {
    expect((await client().get('/nowhere')).status).toBe(404);
    expect((await client().post('/approvals/x', {}, HTML)).status).toBe(404);
  });
});
