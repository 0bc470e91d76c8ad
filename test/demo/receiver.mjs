import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { CertificateAuthority, createLeafKey } from '../../dist/libs/egress/index.js';

/** An HTTPS server that takes deliveries: most with 200, some with the failures that receivers have. */
export class DemoReceiver {
  #directory = mkdtempSync(join(tmpdir(), 'gatehouse-demo-'));
  #server;
  #count = 0;

  static async start() {
    const receiver = new DemoReceiver();
    const authority = new CertificateAuthority();
    const key = createLeafKey();
    const cert = authority.issue({ hosts: ['localhost'], publicKey: key.publicKey });
    writeFileSync(receiver.caFile, authority.certificate);
    receiver.#server = https.createServer({ key: key.privateKey, cert }, (request, response) => {
      request.resume().on('end', () => {
        receiver.#count += 1;
        response.writeHead(receiver.#count % 23 === 0 ? 503 : 200).end();
      });
    });
    await new Promise((done) => receiver.#server.listen(0, '127.0.0.1', done));
    return receiver;
  }

  get caFile() {
    return join(this.#directory, 'ca.pem');
  }

  get url() {
    return `https://localhost:${this.#server.address().port}/hooks/gatehouse`;
  }

  async close() {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
