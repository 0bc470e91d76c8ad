import { describe, expect, it } from 'vitest';
import { InvalidHost, parseHost } from './host-pattern.js';
import { HostSet } from './host-set.js';

describe('HostSet', () => {
  const hosts = new HostSet([
    'api.example.com',
    '*.wild.com',
    'local:8443',
    '*.deep.wild.com:444',
    parseHost('Other.org'),
  ]);

  it.each([
    ['api.example.com', 443],
    ['a.wild.com', 443],
    ['a.b.wild.com', 443],
    ['deep.wild.com', 443],
    ['local', 8443],
    ['x.deep.wild.com', 444],
    ['other.org', 443],
  ])('has %s:%i', (name, port) => {
    expect(hosts.matches(name, port)).toBe(true);
  });

  it.each([
    ['api.example.com', 443, 'api.example.com'],
    ['a.b.wild.com', 443, '*.wild.com'],
    ['x.deep.wild.com', 444, '*.deep.wild.com:444'],
    ['local', 8443, 'local:8443'],
    ['local', 443, null],
    ['evil.com', 443, null],
  ])('knows as what %s:%i is declared', (name, port, declared) => {
    expect(hosts.declarationOf(name, port)).toBe(declared);
  });

  it('names the host itself before a wildcard above it', () => {
    const both = new HostSet(['*.wild.com', 'a.wild.com']);
    expect(both.declarationOf('a.wild.com', 443)).toBe('a.wild.com');
  });

  it.each([
    ['api.example.com', 8443],
    ['x.api.example.com', 443],
    ['xapi.example.com', 443],
    ['example.com', 443],
    ['wild.com', 443],
    ['awild.com', 443],
    ['wild.com.evil.com', 443],
    ['local', 443],
    ['deep.wild.com', 444],
    ['com', 443],
    ['', 443],
    ['API.example.com', 443],
    ['api.example.com.', 443],
  ])('has not %s:%i', (name, port) => {
    expect(hosts.matches(name, port)).toBe(false);
  });

  it('knows the ports of a name', () => {
    expect(hosts.portsOf('x.deep.wild.com')).toEqual([443, 444]);
    expect(hosts.portsOf('evil.com')).toEqual([]);
  });

  it('is empty without hosts and refuses what is none', () => {
    expect(new HostSet([]).matches('a.com', 443)).toBe(false);
    expect(() => new HostSet(['10.0.0.1'])).toThrow(InvalidHost);
  });
});
