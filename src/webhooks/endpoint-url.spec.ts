import { describe, expect, it } from 'vitest';

import { hostOf, isNeverPublic, urlProblem } from './endpoint-url.js';

describe('urlProblem', () => {
  it.each([
    'https://example.com',
    'https://example.com/hook?token=a%20b',
    'HTTPS://Example.COM:8443/x',
    'https://[2606:4700::1111]/',
    'https://bücher.example/',
  ])('takes %s', (url) => {
    expect(urlProblem(url)).toBeNull();
  });

  it.each([
    ['http://example.com/', /https/],
    ['ftp://example.com/', /https/],
    ['//example.com/', /https/],
    ['https:example.com', /https/],
    ['example.com', /https/],
    ['', /https/],
    ['https://', /https/],
    ['https://exa mple.com', /spaces/],
    ['https://example.com\n', /spaces/],
    ['https://example.com/\u202egpj.exe', /nobody sees/],
    ['https://exam\u200bple.com/', /nobody sees/],
    ['https://example.com\\@evil.example/', /backslashes/],
    ['https://user@example.com/', /user name/],
    ['https://user:secret@example.com/', /user name/],
    ['https://example.com/#part', /fragment/],
    ['https://example.com/#', /fragment/],
    ['https://example.com:0/', /port/],
    ['https://example.com:99999/', /not a URL/],
    [`https://example.com/${'a'.repeat(2_048)}`, /longer/],
  ])('refuses %s', (url, why) => {
    expect(urlProblem(url)).toMatch(why);
  });
});

describe('hostOf', () => {
  it.each([
    ['https://2130706433/', '127.0.0.1'],
    ['https://0x7f.1/', '127.0.0.1'],
    ['https://0177.0.0.1/', '127.0.0.1'],
    ['https://[::FFFF:127.0.0.1]/', '[::ffff:7f00:1]'],
  ])('reads %s as %s', (url, host) => {
    expect(hostOf(url)).toBe(host);
  });
});

describe('isNeverPublic', () => {
  it.each([
    'localhost',
    'a.localhost',
    'printer.local',
    'metadata.google.internal',
    'intranet',
    'db.internal.',
  ])('is true of %s', (host) => expect(isNeverPublic(host)).toBe(true));
  it.each(['example.com', 'internal.example.com', '10.0.0.1', '[::1]', 'localhost.example.com'])(
    'is false of %s',
    (host) => expect(isNeverPublic(host)).toBe(false),
  );
});
