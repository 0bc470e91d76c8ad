import dgram from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import net from 'node:net';
import { describe, expect, it } from 'vitest';
import { AttackedGate, status } from './test/attacked-gate.js';
import { Inside, readAll, placeOf } from './test/gate-fixture.js';
import { startRawOrigin } from './test/origin.js';

describe('too much for the gate', () => {
  const scene = AttackedGate.forEach();

  it('drops a slow loris', async () => {
    const socket = await scene.inside.tls('api.test');
    const drip = setInterval(() => socket.write('X-A: b\r\n'), 100);
    socket.write(`GET / HTTP/1.1\r\nHost: ${scene.host()}\r\n`);
    const text = await readAll(socket, 20_000);
    clearInterval(drip);
    expect(status(text)).toBe('408');
    expect(scene.reached).toBe('');
  });

  it('drops connections that are never used, without a word', async () => {
    const socket = await scene.inside.tls('api.test');
    expect(await readAll(socket, 5000)).toBe('');
    expect(scene.inside.lines).toEqual([]);
  });

  it('drops a slow handshake', async () => {
    const socket = net.connect(scene.inside.listenPort, '127.0.0.1');
    socket.resume();
    await once(socket, 'close');
  });

  it('holds only so many connections, and goes on', async () => {
    const sockets = Array.from({ length: 500 }, () => net.connect(scene.inside.listenPort, '127.0.0.1'));
    let closed = 0;
    for (const socket of sockets) {
      socket.on('error', () => undefined);
      socket.once('close', () => (closed += 1));
    }
    await expect.poll(() => closed).toBeGreaterThanOrEqual(460);
    for (const socket of sockets) socket.destroy();
    await scene.expectToServe();
    // A line for some, a count for the rest.
    expect(scene.inside.lines.length).toBeLessThan(80);
    scene.inside.close();
    expect(scene.inside.lines.join('\n')).toMatch(/more lines were left out/);
  });

  it('takes only so many pipelined requests at a time', async () => {
    const silent = await scene.outside.keep(
      startRawOrigin(scene.outside.credentials('silent.test'), () => undefined),
    );
    const own = await Inside.open(scene.outside, silent.port, {
      declared: ['silent.test'],
      limits: { requests: 20 },
    });
    const socket = await own.tls('silent.test');
    socket.write(`GET / HTTP/1.1\r\nHost: silent.test:${silent.port}\r\n\r\n`.repeat(500));
    await expect.poll(() => silent.connections()).toBe(20);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(silent.connections()).toBe(20);
    socket.destroy();
    own.close();
  });

  it('survives a thousand random byte strings', async () => {
    const alphabet = [
      'GET ',
      '/',
      ' HTTP/1.1',
      '\r\n',
      '\n',
      'Host: ',
      scene.host(),
      ': ',
      'Content-Length: ',
      '5',
      'chunked',
      '\0',
      '\xff',
      ' ',
      'Transfer-Encoding: ',
    ];
    for (let round = 0; round < 50; round += 1) {
      const socket = await scene.inside.tls('api.test');
      socket.on('error', () => undefined);
      const pieces = Array.from({ length: 20 }, () => alphabet[Math.floor(Math.random() * alphabet.length)]);
      socket.end(Buffer.from(pieces.join(''), 'latin1'));
      await new Promise((resolve) => setTimeout(resolve, 2));
      socket.destroy();
    }
    const tcp = Array.from({ length: 30 }, () => net.connect(scene.inside.listenPort, '127.0.0.1'));
    for (const socket of tcp) {
      socket.on('error', () => undefined);
      socket.end(Buffer.from(Array.from({ length: 200 }, () => Math.floor(Math.random() * 256))));
    }
    await scene.expectToServe();
  });

  it('closes everything', async () => {
    const socket = await scene.inside.tls('api.test');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const udp = dgram.createSocket('udp4');
    await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
    scene.inside.gate.serveDns(udp);
    socket.on('error', () => undefined);
    scene.inside.close();
    await closed;
    expect(scene.inside.listener.listening).toBe(false);
    expect(() => udp.address() as AddressInfo).toThrow();
    expect(() => scene.inside.gate.serve(net.createServer(), placeOf(1))).toThrow(/closed/);
  });
});
