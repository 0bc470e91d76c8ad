import type { TLSSocket } from 'node:tls';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { ResponseReader } from './response-reader.js';
import { PostPool } from './post-pool.js';
import { Outside, read } from './test/gate-fixture.js';
import { type Origin, startOrigin, startRawOrigin } from './test/origin.js';

const LIMITS = { kept: 64, most: 1_000 };

describe('PostPool', () => {
  let outside: Outside;
  let origin: Origin;
  let pool: PostPool;
  beforeAll(async () => {
    outside = await Outside.open();
    origin = await outside.keep(
      startOrigin(outside.credentials('hook.test'), (req, res) => {
        void read(req).then(({ text }) => res.end(`${req.method} ${req.url} ${text}`));
      }),
    );
    pool = new PostPool({ dialer: outside.usualDialer, limits: LIMITS });
  });
  afterAll(async () => {
    pool.close();
    await outside.close();
  });

  interface Outcome {
    error: Error | null;
    status: number;
    body: string;
  }

  function post(port: number, body = 'hello', { through = pool, host = 'hook.test' } = {}): Promise<Outcome> {
    const request = `POST /x HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    return new Promise((resolve) => {
      through.send({ host, port }, request, (error, response: ResponseReader) =>
        resolve({ error, status: response.status, body: Buffer.concat(response.kept).toString() }),
      );
    });
  }

  /** A server that speaks as it likes. */
  async function raw(speak: (socket: TLSSocket, request: string, count: number) => void): Promise<Origin> {
    let count = 0;
    return outside.keep(
      startRawOrigin(outside.credentials('hook.test'), (socket) => {
        socket.on('data', (bytes) => speak(socket, bytes.toString(), ++count));
      }),
    );
  }

  it('sends and reads, over one connection again and again', async () => {
    const before = origin.connections();
    for (let count = 0; count < 5; count++) {
      expect(await post(origin.port, `é${count}`)).toEqual({
        error: null,
        status: 200,
        body: `POST /x é${count}`,
      });
    }
    expect(origin.connections() - before).toBe(1);
  });

  it('opens as many as are asked for at once', async () => {
    const before = origin.connections();
    const all = await Promise.all(Array.from({ length: 10 }, (_, index) => post(origin.port, String(index))));
    expect(all.map(({ body }) => body)).toEqual(Array.from({ length: 10 }, (_, index) => `POST /x ${index}`));
    expect(origin.connections() - before).toBeLessThanOrEqual(10);
  });

  it('drops idle connections', async () => {
    const short = new PostPool({ dialer: outside.usualDialer, limits: LIMITS, idleMs: 50 });
    const before = origin.connections();
    await post(origin.port, 'a', { through: short });
    await new Promise((done) => setTimeout(done, 300));
    await post(origin.port, 'b', { through: short });
    expect(origin.connections() - before).toBe(2);
    short.close();
  });

  it('waits longer than it keeps idle connections', async () => {
    const slow = await raw((socket) => setTimeout(() => socket.write('HTTP/1.1 204 No\r\n\r\n'), 300));
    const short = new PostPool({ dialer: outside.usualDialer, limits: LIMITS, idleMs: 50 });
    expect(await post(slow.port, 'a', { through: short })).toMatchObject({ error: null, status: 204 });
    short.close();
  });

  it('sends again where a connection that was kept alive is closed without a response', async () => {
    const requests: number[] = [];
    const server = await raw((socket, _, count) => {
      requests.push(count);
      if (count === 2) socket.destroy();
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    });
    expect(await post(server.port)).toMatchObject({ error: null, status: 200 });
    expect(await post(server.port)).toMatchObject({ error: null, status: 200 });
    expect(requests).toEqual([1, 2, 3]);
  });

  it('does not send again on what was a new connection, or after a part of the response', async () => {
    const closing = await raw((socket) => socket.end());
    expect((await post(closing.port)).error).toMatchObject({ name: 'ConnectionLost' });
    const breaking = await raw((socket, _, count) => {
      if (count === 1) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
      else socket.write('HTTP/1.1 2', () => socket.destroy());
    });
    await post(breaking.port);
    expect((await post(breaking.port)).error).toMatchObject({ name: 'ConnectionLost' });
    expect(closing.connections() + breaking.connections()).toBe(2);
  });

  it('does not use a connection again on which more came than was asked for', async () => {
    const chatty = await raw((socket) =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 500 Stray\r\n\r\n'),
    );
    for (let count = 0; count < 3; count++) {
      expect(await post(chatty.port)).toEqual({ error: null, status: 200, body: 'ok' });
    }
    expect(chatty.connections()).toBe(3);
    const late = await raw((socket, _, count) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      if (count === 1) setTimeout(() => socket.write('HTTP/1.1 500 Stray\r\n\r\n'), 50);
    });
    await post(late.port);
    await new Promise((done) => setTimeout(done, 200));
    expect(await post(late.port)).toMatchObject({ status: 200 });
    expect(late.connections()).toBe(2);
  });

  it('cuts a response that is too long and ends the connection', async () => {
    let closed = false;
    const endless = await raw((socket) => {
      socket.once('close', () => (closed = true));
      socket.write(`HTTP/1.1 200 OK\r\n\r\n${'a'.repeat(2_000)}`);
    });
    expect(await post(endless.port)).toEqual({ error: null, status: 200, body: 'a'.repeat(64) });
    await expect.poll(() => closed).toBe(true);
  });

  it('takes the end of the connection for the end of a response without a length', async () => {
    const old = await raw((socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nbye'));
    expect(await post(old.port)).toEqual({ error: null, status: 200, body: 'bye' });
  });

  it('gives up when told to, while it dials and while it waits', async () => {
    const silent = await raw(() => undefined);
    for (const wait of [0, 300]) {
      const error = await new Promise<Error | null>((resolve) => {
        const posting = pool.send(
          { host: 'hook.test', port: silent.port },
          'POST / HTTP/1.1\r\n\r\n',
          (why) => resolve(why),
        );
        setTimeout(() => posting.abort(new Error('enough')), wait);
      });
      expect(error).toMatchObject({ message: 'enough' });
    }
  });

  it('refuses what the dialer refuses', async () => {
    outside.dns.records.set('private.test', ['10.0.0.1']);
    expect((await post(443, '', { host: 'private.test' })).error).toMatchObject({ code: 'EGRESS_REFUSED' });
    outside.dns.records.set('other.test', ['127.0.0.2']);
    expect((await post(origin.port, '', { host: 'other.test' })).error).toMatchObject({ code: 'TLS_FAILED' });
  });
});
