import { describe, expect, it } from 'vitest';

import type { InvalidRequest } from '../../core/errors/index.js';
import { parseHosts } from './declared-hosts.js';

const GET = { host: 'api.example.com', methods: ['GET'], paths: ['/v1/*'] };

function problemOf(hosts: unknown[]): unknown {
  try {
    return parseHosts(hosts);
  } catch (error) {
    return (error as InvalidRequest).details![0];
  }
}

describe('the hosts of a version', () => {
  it('are names, and objects with what they may get', () => {
    expect(
      parseHosts([
        'API.other.com:443',
        { ...GET, host: 'API.Example.com:443', methods: ['GET', 'HEAD', 'GET'] },
        { host: '*.Bücher.de:8443', paths: ['/', '/a%20b', '/x*', '/*'] },
        { host: 'plain.example.com' },
        { host: 'null.example.com', methods: null, paths: null },
        'api.other.com',
      ]),
    ).toEqual({
      hosts: [
        'api.other.com',
        'api.example.com',
        '*.xn--bcher-kva.de:8443',
        'plain.example.com',
        'null.example.com',
      ],
      rules: [
        { ...GET, methods: ['GET', 'HEAD'] },
        { host: '*.xn--bcher-kva.de:8443', methods: null, paths: ['/', '/a%20b', '/x*', '/*'] },
      ],
    });
  });

  it('may have several rules', () => {
    const post = { ...GET, methods: ['POST'], paths: ['/v1/charges'] };
    expect(parseHosts([GET, post])).toEqual({ hosts: ['api.example.com'], rules: [GET, post] });
  });

  it.each<[unknown[], string, RegExp]>([
    [[1], 'hosts.0', /string/],
    [['a.com', null], 'hosts.1', /string/],
    [[['a.com']], 'hosts.0', /string/],
    [[{}], 'hosts.0.host', /string/],
    [[{ host: '127.0.0.1' }], 'hosts.0.host', /IP/],
    [[{ ...GET, verbs: [] }], 'hosts.0.verbs', /not a field/],
    [[{ ...GET, constructor: 1 }], 'hosts.0.constructor', /not a field/],
    [[{ ...GET, methods: 'GET' }], 'hosts.0.methods', /array of 1 to 10/],
    [[{ ...GET, methods: [] }], 'hosts.0.methods', /array of 1 to 10/],
    [[{ ...GET, methods: Array(11).fill('GET') }], 'hosts.0.methods', /10/],
    [[{ ...GET, methods: ['GET', 'post'] }], 'hosts.0.methods.1', /upper case/],
    [[{ ...GET, methods: ['*'] }], 'hosts.0.methods.0', /upper case/],
    [[{ ...GET, methods: [1] }], 'hosts.0.methods.0', /string/],
    [[{ ...GET, methods: ['TRACE'] }], 'hosts.0.methods.0', /does not pass/],
    [[{ ...GET, paths: [] }], 'hosts.0.paths', /array of 1 to 20/],
    [[{ ...GET, paths: Array(21).fill('/') }], 'hosts.0.paths', /20/],
    [[{ ...GET, paths: [`/${'x'.repeat(500)}`] }], 'hosts.0.paths.0', /500/],
    [['a.com', GET, 'api.example.com'], 'hosts.1', /without methods and paths as well/],
    [['*.example.com', GET], 'hosts.1', /overlaps with \*\.example\.com/],
    [[{ ...GET, host: '*.example.com' }, 'api.example.com'], 'hosts.0', /overlaps with api\.example\.com/],
  ])('are not %j', (hosts, path, message) => {
    expect(problemOf(hosts)).toEqual({ path, message: expect.stringMatching(message) });
  });

  it.each([
    '',
    'v1',
    '*',
    'https://api.example.com/v1',
    '/v1?x=y',
    '/v1#x',
    '/v1;x',
    '/v1/../x',
    '/v1/..',
    '/v1/.',
    '/./v1',
    '/v1/%2e%2e/*',
    '/v1/%252e%252e/*',
    '/v1/..%2f*',
    '/v1//x',
    '//v1',
    '/v1\\x',
    '/*/x',
    '/v1/**',
    '/v1/a b',
    '/bücher',
    '/v1/%zz',
    '/v1/%2',
    '/v1/%2*',
    '/v1/\u0000',
    '/v1/x\n',
  ])('have no path %j', (path) => {
    expect(problemOf([{ ...GET, paths: ['/fine', path] }])).toEqual({
      path: 'hosts.0.paths.1',
      message: expect.stringMatching(/must be a path such as/),
    });
  });
});
