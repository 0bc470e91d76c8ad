import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import tls from 'node:tls';
import { type CertificateAuthority, createLeafKey, type LeafOptions } from '../certificate-authority.js';

/** Other than the gate's address, so that the same port can be on both. */
export const ORIGIN_ADDRESS = '127.0.0.2';

export interface Origin {
  port: number;
  address: string;
  /** Connections taken so far. */
  connections(): number;
  close(): Promise<void>;
}

const leafKey = createLeafKey();

/** A key and a certificate of the authority for some names. */
export function credentialsFor(
  authority: CertificateAuthority,
  leaf: Omit<LeafOptions, 'publicKey'>,
): { key: string; cert: string } {
  return { key: leafKey.privateKey, cert: authority.issue({ ...leaf, publicKey: leafKey.publicKey }) };
}

/** A real HTTPS server on loopback. */
export function startOrigin(
  credentials: { key: string; cert: string },
  handler: http.RequestListener,
  configure: (server: https.Server) => void = () => undefined,
): Promise<Origin> {
  const server = https.createServer({ ...credentials, keepAliveTimeout: 60_000 }, handler);
  configure(server);
  return listen(server);
}

/** A TLS server that writes bytes of its own to each connection. */
export function startRawOrigin(
  credentials: { key: string; cert: string },
  onConnection: (socket: tls.TLSSocket) => void,
): Promise<Origin> {
  const server = tls.createServer(credentials, (socket) => {
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  return listen(server);
}

export function startPlainOrigin(handler: http.RequestListener): Promise<Origin> {
  return listen(http.createServer(handler));
}

export function startTcp(
  onConnection: (socket: net.Socket) => void,
  address = ORIGIN_ADDRESS,
  port = 0,
): Promise<Origin> {
  return listen(net.createServer(onConnection), address, port);
}

export async function listen(server: net.Server, address = ORIGIN_ADDRESS, port = 0): Promise<Origin> {
  const sockets = new Set<net.Socket>();
  let connections = 0;
  server.on('connection', (socket: net.Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    address,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
