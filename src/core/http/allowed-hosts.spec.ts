import { networkInterfaces } from 'node:os';

import { describe, expect, it } from 'vitest';

import { AllowedHosts, type AddressedRequest } from './allowed-hosts.js';

const hosts = new AllowedHosts('https://gatehouse.example.com/base', ['gatehouse.internal', 'fd00::7']);

function request(host: string | undefined, more: Partial<AddressedRequest> = {}): AddressedRequest {
  const rawHeaders = ['accept', '*/*', ...(host === undefined ? [] : ['Host', host])];
  return { url: '/v1/runs', headers: { host }, rawHeaders, httpVersion: '1.1', ...more };
}

const statusOf = (host: string | undefined, more?: Partial<AddressedRequest>): number | null =>
  hosts.refusal(request(host, more))?.status ?? null;

const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);

describe('a host that is served', () => {
  it.each([
    'gatehouse.example.com',
    'gatehouse.example.com:443',
    'GateHouse.Example.COM.:8443',
    'gatehouse.internal:80',
    'localhost',
    'LOCALHOST:8080',
    'localhost.:3000',
    '127.0.0.1:3000',
    '127.8.9.10',
    '[::1]:3000',
    '[0:0:0:0:0:0:0:1]',
    '[FD00::7]:3000',
    ...own.map(({ address, family }) => (family === 'IPv6' ? `[${address}]:3000` : `${address}:3000`)),
  ])('%s', (host) => {
    expect(statusOf(host)).toBeNull();
    // Known by then.
    expect(statusOf(host)).toBeNull();
  });

  it('is none where HTTP/1.0 names none', () => {
    expect(statusOf(undefined, { httpVersion: '1.0' })).toBeNull();
  });

  it('is known in so many spellings only', () => {
    for (let port = 0; port < 2500; port++) expect(statusOf(`localhost:${port}`)).toBeNull();
    expect(hosts['known'].size).toBeLessThanOrEqual(1000);
  });
});

describe('a host that is not ours', () => {
  it.each([
    'evil.example',
    'evil.example:3000',
    'gatehouse.example.com.evil.example',
    'evil-gatehouse.example.com',
    'localhost.evil.example',
    'sub.localhost',
    '127.0.0.1.evil.example',
    '192.0.2.1',
    '[2001:db8::1]:3000',
    '0.0.0.0:3000',
  ])('is misdirected: %s', (host) => expect(statusOf(host)).toBe(421));

  it('is misdirected in the first line, too', () => {
    expect(statusOf('localhost', { url: 'http://evil.example/v1/runs' })).toBe(421);
    expect(statusOf('localhost', { url: 'ws://evil.example/v1/runs' })).toBe(421);
    expect(statusOf('evil.example', { url: 'http://localhost/v1/runs' })).toBe(421);
    expect(statusOf('localhost', { url: 'HTTP://LocalHost:80/v1/runs' })).toBeNull();
    expect(statusOf('localhost', { url: 'http://user@localhost/v1/runs' })).toBe(400);
  });
});

describe('what is no host', () => {
  it.each([
    '',
    ' ',
    'a b',
    'user@localhost',
    'localhost/x',
    'localhost:',
    'localhost:port',
    '[::1',
    'ä.example',
    '::1',
  ])('is refused: "%s"', (host) => expect(statusOf(host)).toBe(400));

  it('is refused where none is sent, or two are', () => {
    expect(statusOf(undefined)).toBe(400);
    const rawHeaders = ['Host', 'localhost', 'hOsT', 'localhost'];
    expect(statusOf('localhost', { rawHeaders })).toBe(400);
  });
});
