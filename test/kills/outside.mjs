import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { CertificateAuthority, createLeafKey } from '../../dist/libs/egress/index.js';

/** The world outside: where scripts call and where events are delivered. It notes both. */
export async function openOutside() {
  const authority = new CertificateAuthority();
  const key = createLeafKey();
  const cert = authority.issue({ hosts: ['localhost'], publicKey: key.publicKey });
  /** By run and attempt: the marks of the executions that called. */
  const executions = new Map();
  /** By event id: how often it came, and its type and run. */
  const events = new Map();

  /** By the id of a message: how many failures it tells of, how often it came, and the shortest time between two of it. */
  const alerts = new Map();

  const server = https.createServer({ key: key.privateKey, cert }, (request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('error', () => undefined);
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString());
      if (request.url === '/call') {
        const key = `${body.run} ${body.attempt}`;
        executions.set(key, (executions.get(key) ?? new Set()).add(body.mark));
      } else if (request.url === '/events') {
        const { id, type, data } = body;
        const seen = events.get(id) ?? { type, runId: data.runId, times: 0 };
        events.set(id, { ...seen, times: seen.times + 1 });
      } else if (request.url === '/alerts') {
        const { id, count } = body;
        const seen = alerts.get(id) ?? { times: 0, at: -Infinity, closest: Infinity };
        const now = Date.now();
        const closest = Math.min(seen.closest, now - seen.at);
        alerts.set(id, { count, times: seen.times + 1, at: now, closest });
      }
      response.end('{}');
    });
  });
  server.on('tlsClientError', () => undefined);
  await new Promise((done) => server.listen(0, '127.0.0.1', done));

  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-kills-ca-'));
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, authority.certificate);
  return {
    host: `localhost:${server.address().port}`,
    caFile,
    executions,
    events,
    alerts,
    close: () => {
      server.closeAllConnections();
      server.close();
      rmSync(folder, { recursive: true });
    },
  };
}
