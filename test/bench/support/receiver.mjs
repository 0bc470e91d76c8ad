// HTTPS receivers for the benchmark of deliveries, as many as asked for: each responds at once, or never while it is stalled.
// Notes when each request arrived. Speaks with the benchmark by messages.
import https from 'node:https';
import { performance } from 'node:perf_hooks';

import { CertificateAuthority, createLeafKey } from '../../../dist/libs/egress/index.js';

const count = Number(process.argv[2]);
const authority = new CertificateAuthority();
const key = createLeafKey();
const cert = authority.issue({ hosts: ['localhost'], publicKey: key.publicKey });
const stalled = new Set();
let arrivals = [];
let total = 0;
let waiting = null;
const now = () => performance.timeOrigin + performance.now();

function listen(index) {
  const server = https.createServer(
    { key: key.privateKey, cert, keepAliveTimeout: 60_000 },
    (request, response) => {
      const at = now();
      const chunks = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        if (stalled.has(index)) return;
        arrivals.push([index, at, keepBodies ? JSON.parse(Buffer.concat(chunks)).id : null]);
        total += 1;
        response.end();
        if (waiting !== null && total >= waiting) tell();
      });
    },
  );
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server.address().port)));
}

function tell() {
  waiting = null;
  process.send({ reached: total });
}

let keepBodies = false;
process.on('message', ({ ask, value }) => {
  if (ask === 'until') {
    waiting = value;
    if (total >= waiting) tell();
  } else if (ask === 'reset') {
    arrivals = [];
    total = 0;
    keepBodies = value === 'bodies';
    process.send({ reset: true });
  } else if (ask === 'arrivals') process.send({ arrivals });
  else if (ask === 'stall') {
    stalled.add(value);
    process.send({ stalled: true });
  } else if (ask === 'resume') {
    stalled.delete(value);
    process.send({ resumed: true });
  }
});
const ports = await Promise.all(Array.from({ length: count }, (_, index) => listen(index)));
process.send({ ports, ca: authority.certificate });
