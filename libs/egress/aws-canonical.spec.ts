import { SignatureV4 } from '@smithy/signature-v4';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalPath, canonicalQuery } from './aws-canonical.js';
import { awsAuthorization, awsDate } from './aws-signature.js';
import { SdkHash } from './test/sdk-hash.js';

const bytes = (text: string): string => Buffer.from(text).toString('latin1');

describe('canonicalPath', () => {
  it.each([
    ['/', '/'],
    ['/example1/example2/../..', '/example1/example2/../..'],
    ['//example//', '//example//'],
    ['/./', '/./'],
    ['/example space/', '/example%20space/'],
    ['/example%20space/', '/example%20space/'],
    ['/a%2Fb', '/a%2Fb'],
    ["/a!'()*+b", '/a%21%27%28%29%2A%2Bb'],
    ['/ü', '/%C3%BC'],
    ['/%c3%bc', '/%C3%BC'],
    ['/100%', '/100%25'],
    ['/%zz', '/%25zz'],
    ['/%ff', '/%FF'],
  ])('of S3 encodes once: %s', (path, canonical) => {
    expect(canonicalPath(bytes(path), true)).toBe(canonical);
  });

  it.each([
    ['/', '/'],
    ['', '/'],
    ['/a%20b', '/a%2520b'],
    ['/a/../../b', '/b'],
    ['/a/./b/', '/a/b/'],
    ['/a/..', '/'],
    ['/a/b/..', '/a'],
    ['/...', '/...'],
  ])('of other services encodes what was sent: %s', (path, canonical) => {
    expect(canonicalPath(path, false)).toBe(canonical);
  });
});

describe('canonicalQuery', () => {
  it.each([
    ['', ''],
    ['lifecycle', 'lifecycle='],
    ['b=2&a=1', 'a=1&b=2'],
    ['a=2&a=1&a', 'a=&a=1&a=2'],
    ['Param=2&Param-3=1', 'Param=2&Param-3=1'],
    ['a=b=c', 'a=b%3Dc'],
    ['a=%2f&b=x+y', 'a=%2F&b=x%20y'],
    ['&&a=1&', 'a=1'],
    ['a=%', 'a=%25'],
  ])('%s', (query, canonical) => {
    expect(canonicalQuery(query)).toBe(canonical);
  });
});

describe('a signature, beside the one of the SDK of AWS', () => {
  const keys = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
  const time = new Date('2026-03-01T12:00:00Z');
  const escape = (text: string): string =>
    encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  const text = fc.string({ unit: 'grapheme', maxLength: 8 });
  const header = fc.string({
    unit: fc.constantFrom('a', 'B', '"', ',', ';', '=', ' ', '\t', '~'),
    minLength: 1,
    maxLength: 20,
  });

  it.each([
    ['s3', false],
    ['execute-api', true],
  ])('is the same for odd paths, queries and headers: %s', async (service, twice) => {
    const signer = new SignatureV4({
      service,
      region: 'eu-west-1',
      credentials: keys,
      uriEscapePath: twice,
      applyChecksum: false,
      sha256: SdkHash,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { maxLength: 4 }),
        fc.dictionary(text, text, { maxKeys: 4 }),
        header,
        async (segments, query, value) => {
          const path = `/${segments.map(escape).join('/')}`;
          const headers = { host: 'api.test', 'x-odd': value, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' };
          const { headers: signed } = await signer.sign(
            { method: 'GET', protocol: 'https:', hostname: 'api.test', path, query: { ...query }, headers },
            { signingDate: time },
          );
          const pairs = Object.entries(query).map(([name, one]) => `${escape(name)}=${escape(one)}`);
          const names = /SignedHeaders=([^,]*)/.exec(signed['authorization']!)![1]!;
          const own = awsAuthorization(
            {
              method: 'GET',
              target: pairs.length > 0 ? `${path}?${pairs.join('&')}` : path,
              headers: Object.entries(signed).flat(),
              signedHeaders: new Set(names.split(';')),
              payloadHash: 'UNSIGNED-PAYLOAD',
            },
            keys,
            { region: 'eu-west-1', service, date: awsDate(time) },
          );
          expect(own).toBe(signed['authorization']);
        },
      ),
      { numRuns: 500 },
    );
  });
});
