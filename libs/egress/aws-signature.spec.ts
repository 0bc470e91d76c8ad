import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { awsAuthorization, awsDate } from './aws-signature.js';

const KEYS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const DATE = '20150830T123600Z';
const LETTERS = '-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const STS_TOKEN =
  'AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

function signatureOf(
  { method, target, headers = [], body = '' }: Case,
  { service = 'service', keys = KEYS, date = DATE, host = 'example.amazonaws.com' } = {},
): string {
  const all = ['Host', host, ...headers, 'X-Amz-Date', date];
  const names = all.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  const request = {
    method,
    target: Buffer.from(target).toString('latin1'),
    headers: all,
    signedHeaders: new Set(names),
    payloadHash: hash(body),
  };
  return awsAuthorization(request, keys, { region: 'us-east-1', service, date }).split('Signature=')[1]!;
}

interface Case {
  method: string;
  target: string;
  headers?: string[];
  body?: string;
}
const get = (target: string, ...headers: string[]): Case => ({ method: 'GET', target, headers });
const post = (target: string, ...headers: string[]): Case => ({ method: 'POST', target, headers });
const FORM = (type: string): Case => ({
  ...post('/', 'Content-Type', type, 'Content-Length', '13', 'X-Amz-Content-Sha256', hash('Param1=value1')),
  body: 'Param1=value1',
});

describe('the signatures that AWS publishes', () => {
  it.each<[string, Case, string]>([
    ['get-vanilla', get('/'), '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
    [
      'get-header-key-duplicate',
      get('/', 'My-Header1', 'value2', 'My-Header1', 'value2', 'My-Header1', 'value1'),
      'c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea',
    ],
    [
      'get-header-value-multiline',
      get('/', 'My-Header1', 'value1\n  value2\n     value3'),
      'cfd34249e4b1c8d6b91ef74165d41a32e5fab3306300901bb65a51a73575eefd',
    ],
    [
      'get-header-value-order',
      get(
        '/',
        'My-Header1',
        'value4',
        'My-Header1',
        'value1',
        'My-Header1',
        'value3',
        'My-Header1',
        'value2',
      ),
      '08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01',
    ],
    [
      'get-header-value-trim',
      get('/', 'My-Header1', ' value1', 'My-Header2', ' "a   b   c"'),
      'acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736',
    ],
    [
      'get-relative-normalized',
      get('/example/..'),
      '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
    ],
    [
      'get-relative-relative-normalized',
      get('/example1/example2/../..'),
      '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
    ],
    [
      'get-slash-dot-slash-normalized',
      get('/./'),
      '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
    ],
    ['get-slash-normalized', get('//'), '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
    [
      'get-slash-pointless-dot-normalized',
      get('/./example'),
      'ef75d96142cf21edca26f06005da7988e4f8dc83a165a80865db7089db637ec5',
    ],
    [
      'get-slashes-normalized',
      get('//example//'),
      '9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84',
    ],
    [
      'get-space-normalized',
      get('/example space/'),
      '652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741',
    ],
    [
      'get-unreserved',
      get(`/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz`),
      '07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f',
    ],
    ['get-utf8', get('/ሴ'), '8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85'],
    [
      'get-vanilla-empty-query-key',
      get('/?Param1=value1'),
      'a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb',
    ],
    [
      'get-vanilla-query-order-encoded',
      get('/?Param-3=Value3&Param=Value2&%E1%88%B4=Value1'),
      '371d3713e185cc334048618a97f809c9ffe339c62934c032af5a0e595648fcac',
    ],
    [
      'get-vanilla-query-order-key-case',
      get('/?Param2=value2&Param1=value1'),
      'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
    ],
    [
      'get-vanilla-query-unreserved',
      get(`/?${LETTERS}=${LETTERS}`),
      '9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197',
    ],
    [
      'get-vanilla-utf8-query',
      get('/?ሴ=bar'),
      '2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04',
    ],
    [
      'get-vanilla-with-session-token',
      get('/', 'X-Amz-Security-Token', '6e86291e8372ff2a2260956d9b8aae1d763fbf315fa00fa31553b73ebf194267'),
      '07ec1639c89043aa0e3e2de82b96708f198cceab042d4a97044c66dd9f74e7f8',
    ],
    [
      'post-header-key-sort',
      post('/', 'My-Header1', 'value1'),
      'c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c',
    ],
    [
      'post-header-value-case',
      post('/', 'My-Header1', 'VALUE1'),
      'cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d',
    ],
    [
      'post-sts-header-before',
      post('/', 'X-Amz-Security-Token', STS_TOKEN),
      '85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead',
    ],
    ['post-vanilla', post('/'), '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
    [
      'post-vanilla-query',
      post('/?Param1=value1'),
      '28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11',
    ],
    [
      'post-x-www-form-urlencoded',
      FORM('application/x-www-form-urlencoded'),
      'd3875051da38690788ef43de4db0d8f280229d82040bfac253562e56c3f20e0b',
    ],
    [
      'post-x-www-form-urlencoded-parameters',
      FORM('application/x-www-form-urlencoded; charset=utf-8'),
      '328d1b9eaadca9f5818ef05e8392801e091653bafec24fcab71e7344e7f51422',
    ],
  ])('%s', (_, request, signature) => {
    expect(signatureOf(request)).toBe(signature);
  });

  const S3 = {
    service: 's3',
    keys: {
      accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
      secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    },
    date: '20130524T000000Z',
    host: 'examplebucket.s3.amazonaws.com',
  };
  const EMPTY = ['X-Amz-Content-Sha256', hash('')];
  const WELCOME = 'Welcome to Amazon S3.';
  it.each<[string, Case, string]>([
    [
      'get object',
      get('/test.txt', 'Range', 'bytes=0-9', ...EMPTY),
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    ],
    [
      'put object',
      {
        method: 'PUT',
        target: '/test%24file.text',
        headers: [
          ...['Date', 'Fri, 24 May 2013 00:00:00 GMT', 'X-Amz-Storage-Class', 'REDUCED_REDUNDANCY'],
          ...['X-Amz-Content-Sha256', hash(WELCOME)],
        ],
        body: WELCOME,
      },
      '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    ],
    [
      'get a lifecycle',
      get('/?lifecycle', ...EMPTY),
      'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
    ],
    [
      'list objects',
      get('/?max-keys=2&prefix=J', ...EMPTY),
      '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    ],
  ])('S3: %s', (_, request, signature) => {
    expect(signatureOf(request, S3)).toBe(signature);
  });
});

describe('awsDate', () => {
  it('is to the second, in UTC', () => {
    expect(awsDate(new Date('2015-08-30T12:36:00.999Z'))).toBe('20150830T123600Z');
  });
});
