import net, { type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { PostgresGate } from '../../test/postgres-fixture.js';
import { codesOf, RawPostgres, say } from '../../test/raw-postgres.js';
import { cstring, int32, message, TYPE } from './messages.js';

const OK = message(TYPE.authentication, int32(0));
const READY = message(TYPE.ready, Buffer.from('I'));

describe('a hostile client', () => {
  let gate: PostgresGate;
  let server: net.Server;
  let dialled = 0;

  const open = async (options = {}): Promise<void> => {
    dialled = 0;
    server = net.createServer((socket) => {
      dialled += 1;
      socket.on('error', () => undefined);
      socket.once('data', () => socket.pause().write(Buffer.concat([OK, READY])));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    gate = await PostgresGate.open((server.address() as AddressInfo).port, options, { startMs: 500 });
  };
  afterEach(async () => {
    await gate.close();
    server.close();
  });

  const head = (length: number, code: number): Buffer => Buffer.concat([int32(length), int32(code)]);
  const packet = (body: string): Buffer => {
    const bytes = Buffer.from(body, 'latin1');
    return Buffer.concat([head(bytes.length + 8, 0x30000), bytes]);
  };

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['HTTP', Buffer.from('GET / HTTP/1.1\r\nHost: db.test\r\n\r\n')],
    ['a huge start-up', head(0x7fffffff, 0x30000)],
    ['a start-up of no length', head(0, 0x30000)],
    ['a start-up that never ends', head(9_999, 0x30000)],
    ['a start-up without its end', packet('user\0x\0')],
    ['a start-up with more behind it', packet('user\0x\0\0more')],
    ['a name without its value', packet('user\0')],
    ['a name twice', packet('user\0x\0user\0y\0\0')],
    ['protocol 2', Buffer.concat([head(9, 0x20000), Buffer.from([0])])],
    ['a TLS request with a start-up behind it', Buffer.concat([head(8, 80_877_103), packet('user\0x\0\0')])],
    ['a long TLS request', Buffer.concat([head(9, 80_877_103), Buffer.from([0])])],
    ['a GSS request with bytes behind it', Buffer.concat([head(8, 80_877_104), Buffer.from('x')])],
    ['no TLS after all', Buffer.concat([head(8, 80_877_103)])],
    ['half a TLS record', Buffer.from('\x16\x03\x01\x02\0\x01\0\x01\xfc', 'latin1')],
    ['TLS that is none', Buffer.from(`\x16\x03\x01\0\x40${'x'.repeat(64)}`, 'latin1')],
    ['a cancel request without a key', head(8, 80_877_102)],
    ['a cancel request for nobody', Buffer.concat([head(16, 80_877_102), Buffer.alloc(8, 1)])],
    ['an endless cancel request', Buffer.concat([head(9_000, 80_877_102), Buffer.alloc(8_992, 1)])],
    ['replication', packet('user\0x\0replication\0database\0\0')],
    ['a role of its own', packet('user\0x\0role\0postgres\0\0')],
    ['a role within its options', packet('user\0x\0options\0-c role=postgres\0\0')],
    ['options that hide one', packet('user\0x\0options\0-c search_path=a\\ -c\\ role=x -crole=y\0\0')],
    ['libraries', packet('user\0x\0options\0--local-preload-libraries=x\0\0')],
  ])('that says %s gets no byte outward', async (_name, bytes) => {
    await open();
    const socket = await gate.raw();
    const closed = new Promise((resolve) => socket.resume().once('close', resolve));
    socket.write(bytes);
    await closed;
    expect(dialled).toBe(0);
  });

  it.each([
    ['a second start-up', packet('user\0x\0\0')],
    ['an unknown message', message(0x7a, Buffer.from('x'))],
    ['a password', message(TYPE.password, cstring('x'))],
    ['a huge message', Buffer.concat([Buffer.from('Q'), int32(0x7fffffff)])],
    ['a negative length', Buffer.concat([Buffer.from('Q'), int32(-1)])],
    ['no length', Buffer.concat([Buffer.from('S'), int32(0)])],
    ['a Sync with a body', Buffer.concat([Buffer.from('S'), int32(0x3fffff00)])],
    ['a Flush with a body', message(0x48, Buffer.alloc(1))],
  ])('that says %s in a session is cut', async (_name, bytes) => {
    for (const options of [{}, { readOnly: true }, { asks: true }]) {
      await open(options);
      const client = await RawPostgres.open(await gate.raw());
      const got = await client.send(bytes).until('E');
      expect(codesOf(got)).toEqual(['08P01']);
      await expect.poll(() => client.socket.destroyed).toBe(true);
      expect(gate.refused).toHaveLength(1);
      await gate.close();
    }
  });

  it('that floods a server which does not read is not read either', async () => {
    for (const readOnly of [false, true]) {
      await open({ readOnly });
      const client = await RawPostgres.open(await gate.raw());
      const rows = say.copyData('x'.repeat(60_000));
      let sent = -1;
      for (let piece = 0; piece < 2_000; piece++) client.socket.write(rows);
      await expect
        .poll(() => sent === (sent = client.socket.bytesWritten - client.socket.writableLength), {
          interval: 300,
        })
        .toBe(true);
      expect(sent).toBeLessThan(50_000_000);
      await gate.close();
    }
  });

  it('counts a connection only while it is open', async () => {
    await open({ maxConnections: 1 });
    for (let round = 0; round < 5; round++) {
      const socket = await gate.raw();
      socket.write(packet('user\0x\0\0'));
      socket.destroy();
    }
    const opens = async (): Promise<boolean> => {
      const client = new RawPostgres(await gate.raw());
      client.socket.write(packet('user\0x\0\0'));
      const got = await client.until('Z');
      client.socket.destroy();
      return codesOf(got).length === 0;
    };
    await expect.poll(opens).toBe(true);
  });
});
