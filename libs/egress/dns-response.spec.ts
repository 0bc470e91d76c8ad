import dgram from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import type { AddressInfo } from 'node:net';
import { decode, encode, type RecordType, RECURSION_DESIRED } from 'dns-packet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dnsResponse } from './dns-response.js';
import { DnsStub } from './dns-stub.js';

function query(name: string, type: RecordType = 'A'): Buffer {
  const questions = [{ type, name }];
  return encode({ type: 'query', id: 0x1234, flags: RECURSION_DESIRED, questions });
}

describe('dnsResponse', () => {
  it('gives every name one address', () => {
    expect(decode(dnsResponse(query('API.example.com'))!)).toMatchObject({
      id: 0x1234,
      type: 'response',
      flag_rd: true,
      questions: [{ name: 'API.example.com', type: 'A' }],
      answers: [{ name: 'API.example.com', type: 'A', data: '127.0.0.1', ttl: 60 }],
    });
  });

  it('has no record of another type', () => {
    expect(decode(dnsResponse(query('api.example.com', 'AAAA'))!)).toMatchObject({ answers: [] });
  });

  it('does not read what follows the question', () => {
    const good = query('a.com');
    good.writeUInt16BE(0xffff, 8);
    good.writeUInt16BE(0xffff, 10);
    expect(decode(dnsResponse(Buffer.concat([good, Buffer.alloc(40, 0xff)]))!).answers).toHaveLength(1);
  });

  it('takes no name that has two spellings', () => {
    const dotted = query('a.com');
    dotted.set([5, 0x61, 0x2e, 0x63, 0x6f, 0x6d], 12);
    expect(dnsResponse(dotted)).toBeNull();
    const compressed = Buffer.concat([query('a.com').subarray(0, 12), Buffer.from([0xc0, 4, 0, 1, 0, 1])]);
    expect(dnsResponse(compressed)).toBeNull();
  });

  it('drops what is malformed', () => {
    const good = query('a.com');
    for (let length = 0; length < good.length; length += 1)
      expect(dnsResponse(good.subarray(0, length))).toBeNull();
    const changed = (at: number, byte: number): Buffer => {
      const copy = Buffer.from(good);
      copy[at] = byte;
      return copy;
    };
    expect(dnsResponse(changed(2, 0x80))).toBeNull();
    expect(dnsResponse(changed(2, 0x28))).toBeNull();
    expect(dnsResponse(changed(5, 2))).toBeNull();
    expect(dnsResponse(changed(7, 1))).toBeNull();
    expect(dnsResponse(changed(12, 0xc0))).toBeNull();
    expect(dnsResponse(changed(12, 64))).toBeNull();
    expect(dnsResponse(query(`${'a'.repeat(63)}.`.repeat(4).slice(0, -1)))).toBeNull();
    expect(dnsResponse(Buffer.concat([good, Buffer.alloc(600)]))).toBeNull();
    for (let round = 0; round < 500; round += 1) {
      dnsResponse(
        Buffer.from(
          Array.from({ length: Math.floor(Math.random() * 60) }, () => Math.floor(Math.random() * 256)),
        ),
      );
    }
  });
});

describe('DnsStub', () => {
  const socket = dgram.createSocket('udp4');
  const resolver = new Resolver({ timeout: 3000, tries: 1 });
  let stub: DnsStub;
  beforeAll(async () => {
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    stub = new DnsStub(socket);
    resolver.setServers([`127.0.0.1:${(socket.address() as AddressInfo).port}`]);
  });
  afterAll(() => stub.close());

  it('serves a real resolver', async () => {
    expect(await resolver.resolve4('any.example.com')).toEqual(['127.0.0.1']);
    await expect(resolver.resolve6('any.example.com')).rejects.toMatchObject({ code: 'ENODATA' });
    await expect(resolver.resolveTxt('secret-data.evil.com')).rejects.toMatchObject({ code: 'ENODATA' });
    await expect(resolver.resolveMx('evil.com')).rejects.toMatchObject({ code: 'ENODATA' });
  });

  it('goes on after garbage and a flood', async () => {
    const port = (socket.address() as AddressInfo).port;
    const attacker = dgram.createSocket('udp4');
    for (let count = 0; count < 3000; count += 1)
      attacker.send(count % 2 ? query('a.com') : Buffer.alloc(40, count), port, '127.0.0.1');
    await new Promise((resolve) => setTimeout(resolve, 300));
    attacker.close();
    await expect.poll(() => resolver.resolve4('still.here').catch(() => null)).toEqual(['127.0.0.1']);
  });
});
