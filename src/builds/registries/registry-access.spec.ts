import { describe, expect, it } from 'vitest';

import { RegistryAddresses } from './registry-access.js';

describe('RegistryAddresses', () => {
  it('keeps the address of an HTTPS registry, without its credentials', () => {
    const access = new RegistryAddresses();
    expect(access.add('https://me:pw@packages.example.com/simple/', 'Basic bWU6cHc=')).toBe(
      'https://packages.example.com/simple/',
    );
    expect(access.add('https://packages.example.com:8443/x?y=1', null)).toBe(
      'https://packages.example.com:8443/x?y=1',
    );
    expect(access.hosts).toEqual(['packages.example.com', 'packages.example.com:8443']);
    expect(access.origins.get('packages.example.com:8443')).toEqual({
      host: 'packages.example.com',
      port: 8443,
      protocol: 'https:',
    });
    expect(access.secrets).toMatchObject([{ header: 'authorization', value: 'Basic bWU6cHc=' }]);
    expect(access.secrets[0]!.hosts.matches('packages.example.com', 8443)).toBe(false);
  });

  it('leads to a mirror without TLS', () => {
    const access = new RegistryAddresses();
    expect(access.add('http://mirror.example.com:8081/pypi', null)).toBe('https://mirror.example.com/pypi');
    expect(access.origins.get('mirror.example.com')).toEqual({
      host: 'mirror.example.com',
      port: 8081,
      protocol: 'http:',
    });
    expect(access.add('http://mirror.example.com:8081/npm/', null)).toBe('https://mirror.example.com/npm/');
  });

  it('gives a name to what has none, or shares one', () => {
    const access = new RegistryAddresses();
    expect(access.add('http://10.0.0.5/a', null)).toBe('https://mirror-1.registry.internal/a');
    expect(access.add('https://[fd00::1]:8443/b', null)).toBe('https://mirror-2.registry.internal/b');
    expect(access.origins.get('mirror-2.registry.internal')?.host).toBe('fd00::1');
    access.add('https://both.example.com/', null);
    expect(access.add('http://both.example.com/', null)).toBe('https://mirror-4.registry.internal/');
  });

  it('attaches credentials to what reads below an address, and to files beside one of pip', () => {
    const access = new RegistryAddresses();
    access.add('https://packages.example.com/npm', 'Bearer a');
    access.add('https://packages.example.com/team/', 'Bearer b');
    access.add('https://packages.example.com/team/', 'Bearer c');
    access.add('https://packages.example.com/pypi/all/simple', 'Basic d', ['.whl']);
    expect(access.secrets.map(({ value, scope }) => [value, scope])).toEqual([
      ['Bearer a', { methods: ['GET', 'HEAD'], folders: [{ path: '/npm' }] }],
      ['Bearer b', { methods: ['GET', 'HEAD'], folders: [{ path: '/team/' }] }],
      [
        'Basic d',
        {
          methods: ['GET', 'HEAD'],
          folders: [{ path: '/pypi/all/simple' }, { path: '/pypi/all/', endings: ['.whl'] }],
        },
      ],
    ]);
  });

  it('refuses other ways', () => {
    expect(() => new RegistryAddresses().add('git+ssh://example.com/a', null)).toThrow('is not a way');
  });
});
