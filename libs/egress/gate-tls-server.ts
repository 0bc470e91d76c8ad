import { constants } from 'node:crypto';
import type http from 'node:http';
import https from 'node:https';
import type tls from 'node:tls';
import type { LeafContexts } from './leaf-contexts.js';

interface TlsServerParts {
  contexts: LeafContexts;
  /** Until a handshake is done. */
  handshakeMs: number;
  /** What a connection asks for in its handshake, in lower case. */
  onName: (connection: object, name: string) => void;
  /** @throws Error where there is none for a name */
  contextFor: (name: string) => tls.SecureContext;
}

/** TLS with a certificate for each name that is asked for, and HTTP/1.1 within. */
export function createTlsServer(options: http.ServerOptions, parts: TlsServerParts): https.Server {
  const { contexts, handshakeMs, onName, contextFor } = parts;
  return https.createServer({
    ...options,
    ...contexts.nameless,
    ALPNProtocols: ['http/1.1', 'http/1.0'],
    minVersion: 'TLSv1.2',
    // A resumed session would bring its server name from another connection.
    secureOptions: constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION,
    handshakeTimeout: handshakeMs,
    SNICallback(this: unknown, name, done) {
      const lower = name.toLowerCase();
      if (typeof this === 'object' && this !== null) onName(this, lower);
      try {
        done(null, contextFor(lower));
      } catch (error) {
        done(error as Error);
      }
    },
  });
}
