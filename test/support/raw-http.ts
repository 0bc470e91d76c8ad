import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';

import type { Json } from '../../libs/testing/index.js';
import { baseUrl } from './gatehouse.js';

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Json;
}

export interface RawRequest {
  method?: string;
  headers?: Record<string, string>;
  /** Several parts are sent in chunks, without a length. */
  body?: string | Buffer | Buffer[];
  /** Of which service; by default the one that all tests share. */
  server?: string;
}

/**
 * A request that `fetch` would not send. Each comes from another address of this machine, since failed ones are counted
 * by address.
 */
export function send(
  path: string,
  { method = 'GET', headers = {}, body, server }: RawRequest = {},
): Promise<RawAnswer> {
  return new Promise((done, fail) => {
    const outgoing = request(
      new URL(server ?? baseUrl()),
      { method, path, headers, localAddress: anyAddress() },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', fail);
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const json = /json/.test(incoming.headers['content-type'] ?? '') && text !== '';
          done({
            status: incoming.statusCode!,
            headers: incoming.headers,
            body: json ? JSON.parse(text) : text,
          });
        });
      },
    );
    outgoing.on('error', fail);
    if (Array.isArray(body)) {
      for (const part of body) outgoing.write(part);
      outgoing.end();
      return;
    }
    if (body !== undefined) outgoing.setHeader('content-length', Buffer.byteLength(body));
    outgoing.end(body);
  });
}

/** Sends bytes as they are and collects what comes back until the service closes, or has answered and is silent then. */
export function exchange(text: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl());
  return new Promise((done, fail) => {
    let received = '';
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(text));
    socket.setTimeout(60_000, () => socket.destroy());
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      socket.setTimeout(2_000);
    });
    socket.on('close', () => done(received));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') fail(error);
    });
  });
}

/** Some address of this machine: all of 127.0.0.0/8 is. */
export function anyAddress(): string {
  const byte = (): number => 1 + Math.floor(Math.random() * 254);
  return `127.${byte()}.${byte()}.${byte()}`;
}
