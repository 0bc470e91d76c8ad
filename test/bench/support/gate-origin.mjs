// An HTTPS server for the benchmark of the gate: a word at `/`, 100 MB at `/big`.
import https from 'node:https';

import { CertificateAuthority, createLeafKey } from '../../../dist/libs/egress/index.js';

export const BIG_BYTES = 1600 * 65_536;
const chunk = Buffer.alloc(65_536, '0123456789abcdef');
const authority = new CertificateAuthority();
const key = createLeafKey();
const cert = authority.issue({ hosts: ['localhost'], publicKey: key.publicKey });

const server = https.createServer(
  { key: key.privateKey, cert, keepAliveTimeout: 60_000 },
  (request, response) => {
    if (request.url !== '/big') return response.end('hello');
    response.writeHead(200, { 'content-length': BIG_BYTES });
    let sent = 0;
    const send = () => {
      while (sent < BIG_BYTES) {
        sent += chunk.length;
        if (!response.write(chunk)) return response.once('drain', send);
      }
      response.end();
    };
    send();
  },
);
if (process.send) {
  server.listen(0, '127.0.0.1', () =>
    process.send({ port: server.address().port, ca: authority.certificate }),
  );
}
