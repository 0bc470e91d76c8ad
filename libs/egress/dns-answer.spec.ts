import dgram from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dnsAnswer } from './dns-answer.js';
import { DnsStub } from './dns-stub.js';

function query(name: string, type = 1, flags = 0x0100): Buffer {
  const labels = name.split('.').flatMap((label) => [label.length, ...Buffer.from(label)]);
  return Buffer.from([
    0x12,
    0x34,
    flags >> 8,
    flags & 255,
    0,
    1,
    0,
    0,
    0,
    0,
    0,
    0,
    ...labels,
    0,
    0,
    type,
    0,
    1,
  ]);
}

describe('dnsAnswer', { timeout: 30_000 }, () => {
  it('gives every name one address', () => {
    const answer = dnsAnswer(query('api.example.com'));
    expect(answer?.subarray(0, 2)).toEqual(Buffer.from([0x12, 0x34]));
    expect(answer?.subarray(-4)).toEqual(Buffer.from([127, 0, 0, 1]));
  });

  it('drops what is malformed', () => {
    const good = query('a.com');
    for (let length = 0; length < good.length; length += 1)
      expect(dnsAnswer(good.subarray(0, length))).toBeNull();
    const changed = (at: number, byte: number): Buffer => {
      const copy = Buffer.from(good);
      copy[at] = byte;
      return copy;
    };
    expect(dnsAnswer(changed(2, 0x80))).toBeNull();
    expect(dnsAnswer(changed(2, 0x28))).toBeNull();
    expect(dnsAnswer(changed(5, 2))).toBeNull();
    expect(dnsAnswer(changed(12, 0xc0))).toBeNull();
    expect(dnsAnswer(changed(12, 64))).toBeNull();
    expect(dnsAnswer(query(`${'a'.repeat(63)}.`.repeat(4).slice(0, -1)))).toBeNull();
    expect(dnsAnswer(Buffer.concat([good, Buffer.alloc(600)]))).toBeNull();
    for (let round = 0; round < 500; round += 1) {
      dnsAnswer(
        Buffer.from(
          Array.from({ length: Math.floor(Math.random() * 60) }, () => Math.floor(Math.random() * 256)),
        ),
      );
    }
  });
});

describe('DnsStub', { timeout: 30_000 }, () => {
  const socket = dgram.createSocket('udp4');
  const resolver = new Resolver({ timeout: 500, tries: 1 });
  let stub: DnsStub;
  beforeAll(async () => {
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    stub = new DnsStub(socket);
    resolver.setServers([`127.0.0.1:${(socket.address() as AddressInfo).port}`]);
  });
  afterAll(() => stub.close());

  it('answers a real resolver', async () => {
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
    await expect
      .poll(() => resolver.resolve4('still.here').catch(() => null), { timeout: 10_000 })
      .toEqual(['127.0.0.1']);
  });
});
