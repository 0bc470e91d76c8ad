import { type IncomingMessage, type RequestListener, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FlakyService {
  baseUrl: string;
  /** What was asked for, with its body read. */
  requests: (IncomingMessage & { text: string })[];
  close(): Promise<void>;
}

/** A server in front of which the service might stand: each response is what the test says, in that order, then the last. */
export async function flakyService(...responses: RequestListener[]): Promise<FlakyService> {
  const requests: FlakyService['requests'] = [];
  const server = createServer((request, response) => {
    const listener = responses[Math.min(requests.length, responses.length - 1)]!;
    requests.push(Object.assign(request, { text: '' }));
    const own = requests.at(-1)!;
    request.on('data', (chunk: Buffer) => (own.text += chunk.toString()));
    request.on('end', () => listener(request, response));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

export const responding =
  (status: number, body: unknown = {}, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };

export const refusing = (status: number, code: string, headers: Record<string, string> = {}) =>
  responding(status, { error: { code, message: `Refused as ${code}.`, requestId: 'req_1' } }, headers);

/** The connection is cut before a response. */
export const cutting: RequestListener = (request) => void request.socket.destroy();

/** The connection is cut in the middle of a response. */
export const halfOf =
  (status: number, body: unknown): RequestListener =>
  (request, response) => {
    const text = JSON.stringify(body);
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': text.length });
    response.write(text.slice(0, -1), () => request.socket.destroy());
  };

/** What a proxy says in the service's place. */
export const page =
  (status: number): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Sign in to the network</h1>');
  };
