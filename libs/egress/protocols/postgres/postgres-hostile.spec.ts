import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import net, { type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { PASSWORD, PostgresGate } from '../../test/postgres-fixture.js';
import { RawPostgres, say } from '../../test/raw-postgres.js';
import { cstring, errorResponse, int32, message, TYPE } from './messages.js';

const authentication = (kind: number, data = ''): Buffer =>
  message(TYPE.authentication, int32(kind), Buffer.from(data));
const OFFER = authentication(10, 'SCRAM-SHA-256\0\0');
const OK = authentication(0);
const READY = message(TYPE.ready, Buffer.from('I'));

/** What a server says to each message of the gate, in turn. */
type Script = ((heard: Buffer) => Buffer)[];

describe('a hostile PostgreSQL server', () => {
  let server: net.Server;
  let gate: PostgresGate;
  const heard: Buffer[] = [];

  const open = async (script: Script, end = false, options = {}): Promise<PostgresGate> => {
    heard.length = 0;
    server = net.createServer((socket) => {
      const left = [...script];
      socket.on('error', () => undefined);
      socket.on('data', (chunk: Buffer) => {
        heard.push(chunk);
        const next = left.shift();
        if (next) socket.write(next(chunk));
        if (left.length === 0 && end) socket.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (gate = await PostgresGate.open((server.address() as AddressInfo).port, options, {
      startMs: 1_000,
    }));
  };
  afterEach(async () => {
    await gate.close();
    server.close();
  });

  const challenge =
    (change: (text: string) => string = (text) => text) =>
    (chunk: Buffer): Buffer => {
      const nonce = /r=([^,\0]+)/.exec(chunk.toString('latin1'))?.[1] ?? '';
      return authentication(11, change(`r=${nonce}server,s=c2FsdA==,i=4096`));
    };

  it.each([
    ['closes at once', [() => Buffer.alloc(0)], true, 'it closed the connection'],
    ['says nothing', [() => Buffer.alloc(0)], false, 'in time'],
    ['says half a message', [() => OFFER.subarray(0, 7)], true, 'it closed the connection'],
    ['says half a message and waits', [() => OFFER.subarray(0, 7)], false, 'in time'],
    ['names a huge length', [() => Buffer.from('R\x7f\xff\xff\xff', 'latin1')], false, 'impossible length'],
    [
      'names a negative length',
      [() => Buffer.from('R\xff\xff\xff\xff', 'latin1')],
      false,
      'impossible length',
    ],
    ['names no length', [() => Buffer.from('R\0\0\0\0')], false, 'impossible length'],
    [
      'is no PostgreSQL',
      [() => Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
      true,
      'it does not speak PostgreSQL',
    ],
    [
      'asks for Kerberos',
      [() => authentication(2)],
      false,
      'a way of signing in that the gate does not know',
    ],
    ['asks for the password', [() => authentication(3)], false, 'in the clear'],
    ['asks for MD5', [() => authentication(5, 'salt')], false, 'MD5'],
    ['offers only others', [() => authentication(10, 'OAUTHBEARER\0\0')], false, 'no SCRAM-SHA-256'],
    [
      'offers only a bound one',
      [() => authentication(10, 'SCRAM-SHA-256-PLUS\0\0')],
      false,
      'TLS connection',
    ],
    ['says no, with a secret', [() => refusalOf('28P01')], false, 'it does not accept'],
    ['says no, for reasons of its own', [() => refusalOf('XX000')], false, 'it refuses the sign-in'],
    [
      'changes the nonce',
      [() => OFFER, challenge((text) => text.replace('r=', 'r=x'))],
      false,
      'another sign-in',
    ],
    [
      'asks for 2^31 iterations',
      [() => OFFER, challenge((text) => text.replace('4096', '2147483648'))],
      false,
      '100000',
    ],
    [
      'asks for a million',
      [() => OFFER, challenge((text) => text.replace('4096', '1000000'))],
      false,
      'iterations',
    ],
    ['asks for one', [() => OFFER, challenge((text) => text.replace('4096', '1'))], false, 'fewer than 4096'],
    ['asks for none', [() => OFFER, challenge((text) => text.replace('4096', '0'))], false, 'cannot be read'],
    [
      'lets in without a signature',
      [() => OFFER, challenge(), () => Buffer.concat([OK, READY])],
      false,
      'proved',
    ],
    ['lets in in the middle', [() => OFFER, () => Buffer.concat([OK, READY])], false, 'breaks off'],
    [
      'has a wrong signature',
      [() => OFFER, challenge(), () => authentication(12, `v=${'A'.repeat(43)}=`)],
      false,
      'proved',
    ],
    [
      'ends with an error',
      [() => OFFER, challenge(), () => authentication(12, 'e=other-error')],
      false,
      'proved',
    ],
    [
      'sends notices for ever',
      [() => Buffer.concat(Array.from({ length: 999 }, () => notice))],
      false,
      'does not end',
    ],
    [
      'begins in a transaction',
      [() => Buffer.concat([OK, message(TYPE.ready, Buffer.from('T'))])],
      false,
      'transaction',
    ],
    [
      'tells parameters for ever',
      [() => Buffer.concat([OK, ...Array.from({ length: 99 }, () => parameter)])],
      false,
      'too much',
    ],
    [
      'has an odd key',
      [() => Buffer.concat([OK, message(TYPE.backendKey, Buffer.alloc(2))])],
      false,
      'cancel key',
    ],
    [
      'refuses the session, with the password',
      [() => Buffer.concat([OK, refusalOf('53300')])],
      false,
      'x***y',
    ],
  ] as [string, Script, boolean, string][])(
    'that %s opens no session',
    async (_name, script, end, reason) => {
      await open(script, end);
      const error = await gate.client().then(
        () => null,
        (problem: Error) => problem,
      );
      expect(error?.message).toContain(reason);
      expect(gate.failed).toHaveLength(1);
      expect(`${error?.message} ${gate.failed.join()}`).not.toContain(PASSWORD);
      expect(Buffer.concat(heard).includes(PASSWORD)).toBe(false);
    },
  );

  it('answers a TLS request with a plain session: nothing is said to it', async () => {
    await open([() => Buffer.concat([Buffer.from('S'), OK, READY])], false, { sslmode: 'require' });
    await expect(gate.client()).rejects.toThrow('before TLS began');
    await gate.close();
    await open([() => Buffer.from('N')], false, { sslmode: 'require' });
    await expect(gate.client()).rejects.toThrow('it offers no TLS');
    expect(Buffer.concat(heard).length).toBe(8);
  });

  it('can say what it likes in a session, and the gate goes on', async () => {
    const say = [
      [Buffer.from('Q\0\0\0\0'), 'does not speak PostgreSQL'],
      [
        errorResponse({ severity: 'ERROR', code: 'XX000', message: 'x'.repeat(200_000) }),
        'too long to be shown',
      ],
    ] as const;
    for (const [bytes, reason] of say) {
      await open([scripted(), () => Buffer.concat([bytes, READY])]);
      const client = await gate.client();
      await expect(client.query('SELECT 1')).rejects.toThrow(reason);
      await gate.close();
    }
  });

  it('cannot end a guarded session as if it were idle', async () => {
    const cut = Buffer.from('Z\0\0\0\x04');
    await open([scripted(), () => Buffer.concat([cut, READY])], false, { readOnly: true });
    const client = await gate.client();
    await expect(client.query('SELECT 1')).rejects.toThrow();
    expect(gate.failed).toHaveLength(1);
  });

  it('signs in with a server that knows the password, written anew', async () => {
    let first = '';
    let text = '';
    const salted = pbkdf2Sync(PASSWORD, 'salt', 4096, 32, 'sha256');
    await open([
      () => OFFER,
      (chunk) => {
        first = /n=,r=.*$/.exec(chunk.toString('latin1'))?.[0] ?? '';
        const reply = challenge()(chunk);
        text = reply.subarray(9).toString();
        return reply;
      },
      (chunk) => {
        const [, unproved = '', proof = ''] = /(c=.*),p=(.*)$/.exec(chunk.toString('latin1')) ?? [];
        const whole = `${first},${text},${unproved}`;
        const key = hmac(salted, 'Client Key');
        const signature = hmac(createHash('sha256').update(key).digest(), whole);
        expect(Buffer.from(proof, 'base64').map((byte, at) => byte ^ signature[at]!)).toEqual(key);
        const verifier = hmac(hmac(salted, 'Server Key'), whole).toString('base64');
        return Buffer.concat([authentication(12, `v=${verifier}`), OK, READY]);
      },
    ]);
    await gate.client();
    expect(gate.secretsUsed).toBe(1);
  });

  it('gives a client of protocol 3.2 a long key, and tells one of 3.9 what is known', async () => {
    await open([() => Buffer.concat([OK, message(TYPE.backendKey, Buffer.alloc(8, 7)), READY])]);
    const start = async (version: number): Promise<string> => {
      const client = new RawPostgres(await gate.raw());
      client.socket.write(say.startup({ user: 'x', '_pq_.new': '1' }, version));
      const got = await client.until('Z');
      expect(got.find(({ type }) => type === 'v')!.body.toString('latin1')).toContain('_pq_.new');
      return got.map(({ type, body }) => `${type}${type === 'K' ? body.length : ''}`).join(' ');
    };
    expect(await start(0x30000)).toBe('v R K8 Z');
    expect(await start(0x30002)).toBe('v R K36 Z');
    expect(await start(0x30009)).toBe('v R K36 Z');
  });
});

const notice = message(TYPE.notice, Buffer.from('\0'));
const parameter = message(TYPE.parameter, cstring('name'), cstring('x'.repeat(10_000)));
/** Lets anybody in, and asks for nothing. */
const scripted = (): (() => Buffer) => () => Buffer.concat([OK, READY]);

function refusalOf(code: string): Buffer {
  return errorResponse({ severity: 'FATAL', code, message: `x${PASSWORD}y` });
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
