import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AWS_PLACEHOLDER, type AwsKeys } from './aws-keys.js';
import type { GateOptions, GateSecret } from './gate-options.js';
import { HostSet } from './host-set.js';
import { type Call, Inside, Outside, read, type Received } from './test/gate-fixture.js';
import { awsProblem, type ReceivedRequest } from './test/aws-verifier.js';
import { type Origin, startOrigin } from './test/origin.js';

const KEYS: AwsKeys = {
  accessKeyId: 'AKIAIOSFODNN7REALKEY',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYREALKEY40',
};
const TOKEN = 'FwoGZXIvYXdzEJr//////////temporary==';
const BUCKET = 'bucket.s3.eu-west-1.amazonaws.com';
const QUEUE = 'sqs.eu-west-1.amazonaws.com';
const OTHER = 'other.test';

describe('a gate that signs for AWS', () => {
  let outside: Outside;
  let origin: Origin;
  let inside: Inside;
  let came: ReceivedRequest[] = [];
  let problem: string | null | undefined;
  let keys: AwsKeys;

  beforeAll(async () => {
    outside = await Outside.open();
    origin = await outside.keep(
      startOrigin(outside.credentials(BUCKET, QUEUE, OTHER), (req, res) => {
        void read(req).then(async ({ body }) => {
          const { method = '', url = '', rawHeaders } = req;
          came.push({ method, url, rawHeaders, body });
          problem = await awsProblem({ method, url, rawHeaders, body }, keys, 'eu-west-1');
          if (method === 'HEAD') return void res.writeHead(200, { 'content-length': 12, etag: '"a"' }).end();
          const text = `${rawHeaders.join('\n')}\n${JSON.stringify(keys)}`;
          const partial = req.headers.range !== undefined;
          res.writeHead(partial ? 206 : 200, { etag: '"a"' }).end(text);
        });
      }),
    );
  });
  afterEach(() => inside.close());
  afterAll(() => outside.close());

  async function open({
    secrets = [],
    own = KEYS,
    ...options
  }: Partial<GateOptions> & { own?: AwsKeys } = {}): Promise<void> {
    came = [];
    problem = undefined;
    keys = own;
    const hosts = new HostSet([BUCKET, QUEUE].map((host) => `${host}:${origin.port}`));
    const aws: GateSecret = {
      name: 'AWS',
      hosts,
      header: 'authorization',
      signing: 'aws',
      value: JSON.stringify(own),
    };
    inside = await Inside.open(outside, origin.port, {
      declared: [BUCKET, QUEUE, OTHER],
      secrets: [aws, ...secrets],
      ...options,
    });
  }

  function call(
    host: string,
    path: string,
    { headers = {}, ...call }: Omit<Call, 'headers'> & { headers?: Record<string, string> } = {},
    scope = 'us-east-1/s3',
  ): Promise<Received> {
    const authorization = `AWS4-HMAC-SHA256 Credential=${AWS_PLACEHOLDER.accessKeyId}/20200101/${scope}/aws4_request, SignedHeaders=accept-encoding;host;range;x-amz-date;x-odd, Signature=${'0'.repeat(64)}`;
    return inside.call(host, path, {
      ...call,
      headers: { authorization, 'x-amz-date': '20200101T000000Z', ...headers },
    });
  }
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
  const header = (name: string): string | undefined => {
    const [last] = came.slice(-1);
    const index = last!.rawHeaders.findIndex((one) => one.toLowerCase() === name);
    return index < 0 ? undefined : last!.rawHeaders[index + 1];
  };

  it.each(['/a%20b/%C3%BC.txt', '/', '/?list-type=2&prefix=a%20b', '//double/../dots'])(
    'signs with the real keys, for the region of the host and now: %s',
    async (path) => {
      await open();
      const headers = { 'x-amz-content-sha256': sha256(''), 'x-odd': ' a  b ', x_amz_date: 'x' };
      expect((await call(BUCKET, path, { headers })).status).toBe(200);
      expect(problem).toBe(null);
      expect(header('authorization')).toContain('/eu-west-1/s3/aws4_request, SignedHeaders=');
      expect(header('x_amz_date')).toBeUndefined();
      await expect.poll(() => inside.usedSecrets).toEqual(['AWS']);
    },
  );

  it('signs what really leaves', async () => {
    await open();
    const headers = { 'accept-encoding': 'gzip', range: 'bytes=0-9', 'x-amz-content-sha256': sha256('') };
    await call(BUCKET, '/k', { headers });
    expect(problem).toBe(null);
    expect([header('accept-encoding'), header('range')]).toEqual(['identity', 'bytes=0-9']);
  });

  it.each(['UNSIGNED-PAYLOAD', 'STREAMING-UNSIGNED-PAYLOAD-TRAILER'])(
    'passes a body that is %s, of any size',
    async (word) => {
      await open({ limits: { hashedBytes: 10 } });
      const body = 'x'.repeat(3_000_000);
      await call(BUCKET, '/k', {
        method: 'PUT',
        body,
        headers: { 'x-amz-content-sha256': word, expect: '100-continue' },
      });
      expect([problem, came[0]!.body.length]).toEqual([null, body.length]);
    },
  );

  it('hashes a body that comes without a hash, chunked and after 100 Continue as well', async () => {
    await open();
    for (const headers of [{}, { 'transfer-encoding': 'chunked' }, { expect: '100-continue' }] as Record<
      string,
      string
    >[]) {
      await call(
        QUEUE,
        '/',
        { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json', ...headers } },
        'x/sqs',
      );
      expect([problem, came.pop()!.body.toString()]).toEqual([null, '{"a":1}']);
    }
    await call(QUEUE, '/', { method: 'POST' }, 'x/sqs');
    expect(problem).toBe(null);
  });

  it('refuses larger ones, and gives back the room that others took', async () => {
    await open({ limits: { hashedBytes: 1000 } });
    for (const headers of [{ 'content-length': '1001' }, { 'transfer-encoding': 'chunked' }] as Record<
      string,
      string
    >[]) {
      const refused = await call(QUEUE, '/', { method: 'POST', body: 'x'.repeat(1001), headers }, 'x/sqs');
      expect([refused.status, refused.headers['x-gate-error']]).toEqual([400, 'request_not_signable']);
      expect(refused.text).toContain('send less, or the hash');
    }
    for (let count = 0; count < 3; count++)
      expect((await call(QUEUE, '/', { method: 'POST', body: 'x'.repeat(900) }, 'x/sqs')).status).toBe(200);
    expect([came.length, inside.lines.length]).toEqual([3, 2]);
    expect(inside.gate.usage()).toMatchObject([{ requests: 3, denied: 2 }]);
  });

  it('adds the token of temporary keys, in the place of any other', async () => {
    await open({ own: { ...KEYS, sessionToken: TOKEN } });
    const headers = { 'x-amz-security-token': 'own', 'x-amz-content-sha256': sha256('') };
    const { text } = await call(BUCKET, '/k', { headers });
    expect([problem, header('x-amz-security-token')]).toEqual([null, TOKEN]);
    expect(text).not.toContain(TOKEN);
    await open();
    await call(BUCKET, '/k', { headers });
    expect([problem, header('x-amz-security-token')]).toEqual([null, undefined]);
  });

  it('shows nothing of the keys in responses', async () => {
    await open();
    const { text } = await call(BUCKET, '/k', { headers: { 'x-amz-content-sha256': sha256('') } });
    expect(text).toContain('Credential=***/');
    for (const key of Object.values(KEYS) as string[]) expect(text).not.toContain(key);
  });

  it('keeps the length of what it masks in a part of an object, and the marks of an object', async () => {
    await open();
    const headers = { 'x-amz-content-sha256': sha256(''), range: 'bytes=0-' };
    const part = await call(BUCKET, '/k', { headers });
    expect([part.status, part.headers.etag]).toEqual([206, '"a"']);
    expect(part.text).toContain(`Credential=${'*'.repeat(KEYS.accessKeyId.length)}/`);
    const head = await call(BUCKET, '/k', {
      method: 'HEAD',
      headers: { 'x-amz-content-sha256': sha256('') },
    });
    expect([head.headers['content-length'], head.headers.etag]).toEqual(['12', '"a"']);
  });

  it('signs nothing for other hosts, whatever they are asked with', async () => {
    await open();
    await call(OTHER, '/k', {
      headers: { 'x-amz-content-sha256': sha256(''), 'x-amz-security-token': BUCKET },
    });
    expect(header('authorization')).toContain(AWS_PLACEHOLDER.accessKeyId);
    expect(header('x-amz-date')).toBe('20200101T000000Z');
    expect((await call(BUCKET, '/k', { headers: { host: QUEUE } })).status).toBe(421);
  });

  it('lets requests without a signature through as they are, a URL that others presigned among them', async () => {
    await open();
    expect(
      (await inside.call(BUCKET, '/k?X-Amz-Credential=ASIASOMEBODY%2F20200101&X-Amz-Signature=1')).status,
    ).toBe(200);
    expect([problem, header('authorization'), header('x-amz-date')]).toEqual([
      'AccessDenied',
      undefined,
      undefined,
    ]);
    expect(inside.usedSecrets).toEqual([]);
  });

  it.each<[string, string, Record<string, string>, string]>([
    [
      'a URL that was presigned in the box',
      `/k?X-Amz-Credential=${AWS_PLACEHOLDER.accessKeyId}%2F20200101`,
      {},
      'presigned',
    ],
    [
      'such a URL of the older kind',
      `/k?AWSAccessKeyId=${AWS_PLACEHOLDER.accessKeyId}&Signature=x`,
      {},
      'presigned',
    ],
    [
      'Signature Version 2',
      '/k',
      { authorization: `AWS ${AWS_PLACEHOLDER.accessKeyId}:x` },
      'set the client',
    ],
    [
      'Signature Version 4A',
      '/k',
      { authorization: 'AWS4-ECDSA-P256-SHA256 Credential=x' },
      'endpoint of one region',
    ],
    ['another scheme', '/k', { authorization: 'Bearer x' }, 'no AWS signature'],
    ['half a signature', '/k', { authorization: 'AWS4-HMAC-SHA256 Credential=x' }, 'not of the form'],
    [
      'a region with a slash',
      '/k',
      {
        authorization:
          'AWS4-HMAC-SHA256 Credential=x/20200101/a/b/s3/aws4_request, SignedHeaders=host, Signature=0',
      },
      'not of the form',
    ],
    [
      'signed chunks',
      '/k',
      { 'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD' },
      'each part of its body is signed',
    ],
    ['another word for the body', '/k', { 'x-amz-content-sha256': 'ANYTHING' }, 'neither a SHA-256'],
  ])('refuses %s in words', async (_, path, headers, words) => {
    await open();
    const refused =
      headers['authorization'] === undefined
        ? await call(BUCKET, path, { headers })
        : await inside.call(BUCKET, path, { headers });
    expect([refused.status, refused.headers['x-gate-error']]).toEqual([400, 'request_not_signable']);
    expect(refused.text).toContain(words);
    expect(inside.lines).toEqual([expect.stringContaining(words)]);
    expect(came).toEqual([]);
  });

  it('refuses a part of an object where there is another secret to be searched for', async () => {
    const hosts = new HostSet([`${OTHER}:${origin.port}`]);
    await open({ secrets: [{ name: 'KEY', hosts, header: 'x-key', value: 'sk_live_12345' }] });
    const headers = { 'x-amz-content-sha256': sha256(''), range: 'bytes=0-9' };
    const refused = await call(BUCKET, '/k', { headers });
    expect([refused.status, came.length]).toEqual([400, 0]);
    expect(refused.text).toContain('fetch objects whole');
  });

  it('cannot be made of keys that are none', async () => {
    await open();
    const secret = (value: string, headerName = 'authorization'): Promise<void> =>
      open({
        secrets: [{ name: 'BAD', hosts: new HostSet([OTHER]), header: headerName, signing: 'aws', value }],
      });
    await expect(secret('AKIA')).rejects.toThrow('the secret BAD cannot be sent: its value must be JSON');
    await expect(secret(JSON.stringify(KEYS), 'x-key')).rejects.toThrow('header authorization');
  });
});
