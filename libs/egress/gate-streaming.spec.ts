import { createHash } from 'node:crypto';
import type http from 'node:http';
import https from 'node:https';
import { describe, expect, it } from 'vitest';
import { type Received, read } from './test/gate-fixture.js';
import { VariedGate } from './test/varied-gate.js';
import { BIG, seen } from './test/varied-origin.js';

describe('bodies through the gate', () => {
  const scene = VariedGate.forEach();

  it('streams bodies both ways unchanged', async () => {
    await scene.open();
    expect((await scene.inside.call('api.test', '/big')).body.equals(BIG)).toBe(true);
    const sum = createHash('sha256').update(BIG).digest('hex');
    expect((await scene.inside.call('api.test', '/sum', { method: 'PUT', body: BIG })).text).toBe(sum);
    const chunked = await scene.inside.call('api.test', '/sum', {
      method: 'POST',
      headers: { 'transfer-encoding': 'chunked' },
      body: BIG,
    });
    expect(chunked.text).toBe(sum);
  });

  it('passes chunked responses with their trailers, and trailers of requests', async () => {
    await scene.open();
    const response = await scene.inside.call('api.test', '/chunks');
    expect(response.text).toBe('one,two');
    expect(response.trailers).toEqual({ 'x-sum': '42' });
    const req = scene.inside.request('api.test', '/echo', {
      method: 'POST',
      headers: { trailer: 'x-end', 'transfer-encoding': 'chunked' },
    });
    req.write('body');
    req.addTrailers({ 'x-end': 'yes', authorization: 'no' });
    req.end();
    const echoed = await new Promise<Received>((resolve) =>
      req.on('response', (res) => void read(res).then(resolve)),
    );
    expect(seen(echoed)).toMatchObject({ body: 'body', trailers: { 'x-end': 'yes' } });
    expect(seen(echoed).trailers).not.toHaveProperty('authorization');
  });

  it('passes responses without a body', async () => {
    await scene.open();
    const agent = new https.Agent({ keepAlive: true, maxSockets: 1 });
    const head = await scene.inside.call('api.test', '/big', { method: 'HEAD', agent });
    expect(head).toMatchObject({ status: 200, text: '', headers: { 'content-length': String(BIG.length) } });
    expect(await scene.inside.call('api.test', '/empty', { agent })).toMatchObject({ status: 204, text: '' });
    expect(await scene.inside.call('api.test', '/unchanged', { agent })).toMatchObject({
      status: 304,
      text: '',
      headers: { etag: '"a"' },
    });
    for (const method of ['DELETE', 'OPTIONS', 'PATCH', 'POST', 'PROPFIND']) {
      expect(seen(await scene.inside.call('api.test', '/echo', { method, agent }))).toMatchObject({
        method,
        body: '',
      });
    }
    agent.destroy();
  });

  it('keeps connections alive on both sides', async () => {
    await scene.open();
    const agent = new https.Agent({ keepAlive: true, maxSockets: 1 });
    const before = scene.origin.connections();
    const sockets = new Set<unknown>();
    for (let count = 0; count < 5; count += 1) {
      const req = scene.inside.request('api.test', '/echo', { agent });
      req.on('socket', (socket) => sockets.add(socket));
      req.end();
      await new Promise<void>((resolve) => req.on('response', (res) => void read(res).then(() => resolve())));
    }
    expect(sockets.size).toBe(1);
    expect(scene.origin.connections() - before).toBe(1);
    agent.destroy();
  });

  it('hands server-sent events on as they come, and hangs up when the script does', async () => {
    await scene.open();
    const req = scene.inside.request('api.test', '/events');
    req.end();
    const res = await new Promise<http.IncomingMessage>((resolve) => req.on('response', resolve));
    let text = '';
    await new Promise<void>((resolve) => {
      res.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        if (text.includes('data: 2')) resolve();
      });
    });
    req.destroy();
    expect(text).toMatch(/^data: 0\n\ndata: 1/);
  });

  it('sends "100 Continue" when the host does', async () => {
    await scene.open();
    const req = scene.inside.request('api.test', '/sum', {
      method: 'POST',
      headers: { expect: '100-continue', 'content-length': 5 },
    });
    req.flushHeaders();
    await new Promise<void>((resolve) => req.once('continue', resolve));
    req.end('hello');
    const response = await new Promise<Received>((resolve) =>
      req.on('response', (res) => void read(res).then(resolve)),
    );
    expect(response.text).toBe(createHash('sha256').update('hello').digest('hex'));

    const early = scene.inside.request('api.test', '/early', {
      method: 'POST',
      headers: { expect: '100-continue', 'content-length': 5 },
    });
    early.flushHeaders();
    const refused = await new Promise<Received>((resolve) =>
      early.on('response', (res) => void read(res).then(resolve)),
    );
    expect(refused).toMatchObject({ status: 413, text: 'too much', headers: { connection: 'close' } });
    early.destroy();
  });

  it('lets an early response through while the script still sends', async () => {
    await scene.open();
    expect(await scene.inside.call('api.test', '/early', { method: 'POST', body: BIG })).toMatchObject({
      status: 413,
      text: 'too much',
    });
  });
});
