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
