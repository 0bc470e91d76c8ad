import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

import { CertificateAuthority, createLeafKey, trustAuthority } from '../../egress/index.js';
import { machineTime } from './moved-date.js';

const DAY_MS = 86_400_000;

/** An HTTPS server on this machine. */
export interface HttpsServer {
  /** Such as `https://localhost:41234`. */
  url: string;
  /** Its name with its port, as hosts of scripts and secrets name it. */
  host: string;
  /** The certificate of the authority that vouches for it, PEM. The services of this process trust it. */
  ca: string;
  /** Stops it, and breaks off its connections. */
  close(): Promise<void>;
}

let authority: CertificateAuthority | null = null;

/** Has the services of this process, and the gates of their runs, connect to the servers of the test. */
export function trustTestAuthority(): CertificateAuthority {
  if (authority) return authority;
  authority = new CertificateAuthority({ name: 'Servers of a test' });
  trustAuthority(authority.certificate);
  return authority;
}

/**
 * Starts a server on a free port of this machine, to which a service connects where `GATEHOUSE_OUTBOUND_ALLOW` says
 * `127.0.0.1,::1`.
 *
 * @example
 * ```ts
 * const chat = await startHttpsServer((request, response) => response.end('ok'));
 * ```
 */
export async function startHttpsServer(listener: RequestListener): Promise<HttpsServer> {
  const vouching = trustTestAuthority();
  const key = createLeafKey();
  const now = machineTime();
  const cert = vouching.issue({
    hosts: ['localhost'],
    publicKey: key.publicKey,
    // Who connects to it looks at the machine's clock, wherever that of a service was moved to.
    notBefore: new Date(now - DAY_MS),
    notAfter: new Date(now + DAY_MS),
  });
  const server = createServer({ key: key.privateKey, cert }, listener);
  await new Promise<void>((done, fail) => server.once('error', fail).listen(0, '127.0.0.1', done));
  const host = `localhost:${(server.address() as AddressInfo).port}`;
  return {
    url: `https://${host}`,
    host,
    ca: vouching.certificate,
    close: async () => {
      const closed = new Promise<void>((done) => server.close(() => done()));
      server.closeAllConnections();
      await closed;
    },
  };
}
