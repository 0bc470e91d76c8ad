import { describe, expect, it } from 'vitest';
import { depthInScope, mayBeIn, type RequestScope } from './request-scope.js';

const scope: RequestScope = {
  methods: ['GET', 'HEAD'],
  folders: [{ path: '/api/npm/' }, { path: '/py/', endings: ['.whl', '.tar.gz'] }, { path: '/my%20repo' }],
};
const depth = (target: string, method = 'GET', rawHeaders: string[] = []): number =>
  depthInScope(scope, { method, target, rawHeaders });

describe('a scope of requests', () => {
  it.each([
    '/api/npm/lodash',
    '/api/npm/@team%2fthing',
    '/api/npm/@team%2Fthing/-/thing-1.0.0.tgz?write=no',
    '/api/npm/',
    '/api/npm',
    '/api//npm/lodash',
    '/api/npm/..lodash',
    '/api/npm/lodash/v1.0...',
    '/my%20repo/x',
    '/py/files/some_thing-1.0%2Bcu11-py3-none-any.whl',
    '/py/some-thing-1.0.tar.gz#sha256=abc',
  ])('has %s in it', (target) => {
    expect(depth(target)).toBeGreaterThan(0);
    expect(depth(target, 'HEAD')).toBeGreaterThan(0);
  });

  it.each([
    '/',
    '/api',
    '/api/npmx',
    '/API/npm/x',
    '/admin',
    '/api/npm/../admin',
    '/api/npm/..',
    '/api/npm/./x',
    '/api/npm/%2e%2e/admin',
    '/api/npm/.%2E/admin',
    '/api/npm/%2e%2e%2fadmin',
    '/api/npm/..%2fadmin',
    '/api/npm/..%5cadmin',
    '/api/npm/..\\admin',
    '/api/npm/%252e%252e/admin',
    '/api/npm/%25252e%25252e/admin',
    '/api/npm/%2525252525252e',
    '/api/npm/..;/admin',
    '/api/npm/%2e%2e;x=y/admin',
    '/api/npm/%c0%ae%c0%ae/admin',
    '/api/npm/%ef%bc%8e%ef%bc%8e/admin',
    '/api/npm/%u002e%u002e/admin',
    '/api/npm/.. /admin',
    '/api/npm/x%00',
    '/api/npm/x%0d%0aX-A:b',
    '/api/npm/%3f/../admin',
    '/api/npm%2e/x',
    '/%61pi',
    '/py/admin',
    '/py/admin?x.whl',
    '/py/admin#x.whl',
    '/py/admin%3fx.whl',
    '/py/admin;x.whl',
    '/py/admin%00.whl',
    '/my%2520repo/x',
  ])('has not %s', (target) => {
    expect(depth(target)).toBe(-1);
  });

  it.each(['PUT', 'POST', 'DELETE', 'PATCH', 'OPTIONS', 'get', 'PROPFIND'])('has no %s', (method) => {
    expect(depth('/api/npm/lodash', method)).toBe(-1);
  });

  it.each([
    'X-HTTP-Method-Override',
    'X-Method',
    'x_http_method',
    'X-Original-URL',
    'X-Rewrite-URL',
    'X-Forwarded-Prefix',
    'X-Accel-Redirect',
    'Upgrade',
    'Content-Length',
    'Transfer-Encoding',
  ])('has no request with the header %s', (name) => {
    expect(depth('/api/npm/lodash', 'GET', ['Accept', '*/*', name, '1'])).toBe(-1);
    expect(depth('/api/npm/lodash', 'GET', ['Accept', name])).toBeGreaterThan(0);
  });

  it('tells the deepest folder', () => {
    const nested: RequestScope = { methods: ['GET'], folders: [{ path: '/' }, { path: '/a/b/' }] };
    const at = (target: string): number => depthInScope(nested, { method: 'GET', target, rawHeaders: [] });
    expect([at('/x'), at('/a/b/c')]).toEqual([1, 5]);
  });
});

describe('a folder that requests may be for', () => {
  const mayBe = (target: string, folder = '/gatehouse', rawHeaders: string[] = []): boolean =>
    mayBeIn(folder, { method: 'POST', target, rawHeaders });

  it.each([
    '/gatehouse',
    '/gatehouse/v1/scripts?x=1',
    '/gatehouse//v1',
    '/g%61tehouse/v1',
    '/other/../gatehouse/v1',
    '/other/%2e%2e/gatehouse',
    '/other/..;/gatehouse',
    '//gatehouse/v1',
    '/gatehouse/%zz',
  ])('may be meant by %s', (target) => {
    expect(mayBe(target)).toBe(true);
  });

  it.each(['/', '/other', '/gatehouses', '/other/gatehouse', '/?/gatehouse', '/other#/gatehouse'])(
    'is not meant by %s',
    (target) => {
      expect(mayBe(target)).toBe(false);
      expect(mayBe(target, '/')).toBe(true);
    },
  );

  it('may be meant by a header', () => {
    expect(mayBe('/other', '/gatehouse', ['X-Original-URL', '/gatehouse/v1'])).toBe(true);
  });
});
