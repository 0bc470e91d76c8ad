import { describe, expect, it } from 'vitest';
import { type HostRule, RequestRules } from './request-rules.js';

const HOST = 'api.example.com';
const RULE: HostRule = {
  host: HOST,
  methods: ['GET', 'POST'],
  paths: ['/v1/charges', '/v1/files/*', '/my%20repo/*', '/beta*'],
};

interface Asked {
  method?: string;
  headers?: string[];
  host?: string;
  port?: number;
  rules?: HostRule[];
}

function refused(target: string, asked: Asked = {}): string | null {
  const { method = 'GET', headers = [], host = HOST, port = 443, rules = [RULE] } = asked;
  const refusal = new RequestRules(rules).check(host, port, { method, target, rawHeaders: headers });
  return refusal?.reason ?? null;
}

describe('the rules of a host', () => {
  it.each([
    '/v1/charges',
    '/v1/charges?',
    '/v1/charges?limit=1&expand[]=a/../b',
    '/v1/charges?payment_method=card&method=list',
    '/v1/files/',
    '/v1/files/a/b',
    '/v1/files/a%20b',
    '/v1/files/a%2Fb',
    '/v1/files/a//b',
    '/v1/files/..a...',
    '/v1/files/b%C3%BCcher',
    '/my%20repo/x',
    '/beta',
    '/beta2/x',
  ])('let %s through', (target) => {
    expect(refused(target)).toBeNull();
    expect(refused(target, { method: 'POST', headers: ['Content-Length', '3'] })).toBeNull();
  });

  it.each([
    '/',
    '/v1',
    '/v1/',
    '/v1/charges/',
    '/v1/charges/x',
    '/v1/chargesx',
    '/V1/charges',
    '/v1//charges',
    '//v1/charges',
    '/%2fv1/charges',
    '/v1/%63harges',
    '/v1%2Fcharges',
    '/v1\\charges',
    '/v1/./charges',
    '/v1/x/../charges',
    '/v1/charges;x=y',
    '/v1/charges%3Bx',
    '/v1/charges%00',
    '/v1/charges%20',
    '/v1/charges#x',
    '/v1/charges%23x',
    '/v1/charges%3Fx',
    '/v1/charges/*',
    '/v1/files',
    '/v1/files*',
    '/v1/filesx',
    '/v1/%66iles/a',
    '/v1//files/a',
    '//v1/files/a',
    '/\\v1/files/a',
    '/v1/files/..',
    '/v1/files/.',
    '/v1/files/../charges',
    '/v1/files/../../admin',
    '/v1/files/%2e%2e/admin',
    '/v1/files/.%2E/admin',
    '/v1/files/..%2fadmin',
    '/v1/files/..%5cadmin',
    '/v1/files/..\\admin',
    '/v1/files/%252e%252e/admin',
    '/v1/files/%25252e%25252e/admin',
    '/v1/files/%2525252525252e',
    '/v1/files/..;/admin',
    '/v1/files/a;b',
    '/v1/files/%c0%ae%c0%ae/admin',
    '/v1/files/%ef%bc%8e%ef%bc%8e/admin',
    '/v1/files/%u002e%u002e/admin',
    '/v1/files/%zz',
    '/v1/files/%',
    '/v1/files/%e9',
    '/v1/files/.. /admin',
    '/v1/files/%20../admin',
    '/v1/files/x%00',
    '/v1/files/x%0d%0aX-A:b',
    '/v1/files/x%3f/../../admin',
    '/v1/files/x#/../../admin',
    '/v1/files/?#/../../admin',
    '/my repo/x',
    '/my%2520repo/x',
    '/my+repo/x',
    '/bet',
    '/Beta',
  ])('refuse %s', (target) => {
    expect(refused(target)).toContain('is not among what this version declares');
  });

  it.each(['PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'get', 'PROPFIND', ''])('refuse %s', (method) => {
    expect(refused('/v1/charges', { method })).toContain('is not among');
  });

  it.each([
    'X-HTTP-Method-Override',
    'x_http_method',
    'X-Method',
    'X-Original-URL',
    'X-Original-Method',
    'X-Rewrite-URL',
    'X-Override-Path',
    'X-Request-URI',
    'X-Forwarded-Prefix',
    'X-Accel-Redirect',
    'Destination',
  ])('refuse the header %s', (name) => {
    expect(refused('/v1/charges', { headers: ['Accept', '*/*', name, 'DELETE'] })).toMatch(
      new RegExp(`declares: its header ${name} `),
    );
    expect(refused('/v1/charges', { headers: ['Accept', name] })).toBeNull();
  });

  it.each([
    '_method=DELETE',
    'a=b&_method=PUT',
    'a;_METHOD=PUT',
    '%5fmethod=PUT',
    'x-http-method-override=PUT',
  ])('refuse another method in the query: %s', (query) => {
    expect(refused(`/v1/charges?${query}`, { method: 'POST' })).toContain('its query names another method');
  });

  it('let a websocket be asked for, as a GET', () => {
    const headers = ['Connection', 'Upgrade', 'Upgrade', 'websocket', 'Sec-WebSocket-Key', 'x'];
    expect(refused('/v1/charges', { headers })).toBeNull();
    expect(refused('/v1/other', { headers })).not.toBeNull();
  });

  it('say what was refused, without its query', () => {
    expect(refused('/v1/x?key=4711', { method: 'POST' })).toBe(
      'POST https://api.example.com/v1/x is not among what this version declares',
    );
    expect(refused(`/${'x'.repeat(300)}`)).toMatch(/\/x{198}… is not among/);
    // The gate's process may not write long lines.
    const headers = [`x-method-${'x'.repeat(30_000)}`, '1'];
    expect(refused('/v1/charges', { headers })!.length).toBeLessThan(300);
    const elsewhere = { ...RULE, host: `${HOST}:8443` };
    expect(refused('/x', { rules: [elsewhere], port: 8443 })).toContain(
      'GET https://api.example.com:8443/x ',
    );
  });

  it('leave what they do not name alone', () => {
    expect(refused('/anything/../else', { host: 'other.example.com', method: 'DELETE' })).toBeNull();
    expect(refused('/anything', { port: 8443 })).toBeNull();
    expect(refused('/anything', { rules: [] })).toBeNull();
    const anyPath = [{ ...RULE, paths: null }];
    expect(refused('/anything/../else', { rules: anyPath })).toBeNull();
    expect(refused('/anything', { rules: anyPath, method: 'PUT' })).not.toBeNull();
    const anyMethod = [{ ...RULE, methods: null }];
    expect(refused('/v1/charges', { rules: anyMethod, method: 'PUT' })).toBeNull();
    expect(refused('/v1/x', { rules: anyMethod, method: 'PUT' })).not.toBeNull();
  });

  it('of one host are alternatives; method and path are of the same one', () => {
    const rules = [
      { host: HOST, methods: ['GET'], paths: ['/a'] },
      { host: HOST, methods: ['POST'], paths: ['/b'] },
    ];
    const asked = (method: string, target: string): boolean => refused(target, { rules, method }) === null;
    expect([asked('GET', '/a'), asked('POST', '/b'), asked('POST', '/a'), asked('GET', '/b')]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('of a wildcard hold for all below it, and a name under two of them needs both', () => {
    const below: HostRule = { host: '*.example.com', methods: ['GET'], paths: null };
    expect(refused('/x', { rules: [below], method: 'POST' })).not.toBeNull();
    expect(refused('/x', { rules: [below], host: 'example.com', method: 'POST' })).toBeNull();
    expect(refused('/v1/charges', { rules: [below, RULE] })).toBeNull();
    expect(refused('/v1/charges', { rules: [below, RULE], method: 'POST' })).not.toBeNull();
  });

  it('that name nothing let nothing through', () => {
    expect(refused('/v1/charges', { rules: [{ host: HOST, methods: [], paths: null }] })).not.toBeNull();
    expect(refused('/v1/charges', { rules: [{ host: HOST, methods: null, paths: [] }] })).not.toBeNull();
    expect(refused('/a/../b', { rules: [{ host: HOST, methods: null, paths: ['/a/../*'] }] })).not.toBeNull();
  });
});
