// A worker with gates in their own process, or with the bare TLS relay that they are measured against.
import { fork } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import net from 'node:net';
import tls from 'node:tls';
import { fileURLToPath } from 'node:url';

import { CertificateAuthority, GateProcess, HostSet, LeafContexts } from '../../../dist/libs/egress/index.js';

const { mode, port, ca: originCa, count, secret, isOwn, postgres } = JSON.parse(process.argv[2]);
const MODES = { relay, pipe, gate: gates };
const { ports, ca, measured } = await MODES[mode]();
const before = residentBytes(measured);
let peak = 0;
setInterval(() => (peak = Math.max(peak, residentBytes(measured))), 20).unref();
process.on('message', (question) => {
  const rss = residentBytes(measured);
  if (question === 'settle') peak = rss;
  process.send({ rss, peak, before });
});
process.send({ ports, ca });

async function relay() {
  const contexts = new LeafContexts(new CertificateAuthority());
  const server = tls.createServer(
    { SNICallback: (name, done) => done(null, contexts.contextFor(name)) },
    (socket) => {
      const upstream = tls.connect({ host: '127.0.0.1', port, servername: 'localhost', ca: originCa });
      socket.pipe(upstream).pipe(socket);
      for (const end of [socket, upstream]) end.on('error', () => socket.destroy());
    },
  );
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { ports: [server.address().port], ca: contexts.authority.certificate, measured: process.pid };
}

/** Without TLS. */
async function pipe() {
  const server = net.createServer({ noDelay: true }, (socket) => {
    const upstream = net.connect({ host: '127.0.0.1', port, noDelay: true });
    socket.pipe(upstream).pipe(socket);
    for (const end of [socket, upstream]) end.on('error', () => socket.destroy());
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { ports: [server.address().port], ca: null, measured: process.pid };
}

/** The sockets are held here and read there, as those of boxes are. */
async function gates() {
  const all = await GateProcess.start({ warn: console.error });
  const host = `localhost:${port}`;
  const place = { address: '127.0.0.1', port };
  const hosts = postgres ? [] : [host];
  const services = postgres ? [{ host, ...place, protocol: 'postgres', secret: null, postgres }] : [];
  const secrets =
    secret === null ? [] : [{ name: 'KEY', hosts: new HostSet(hosts), header: 'x-key', value: secret }];
  // By the workspace for this host alone, or by the operator for all.
  const trusted = isOwn
    ? { hostAuthorities: [{ host, certificates: originCa }] }
    : { ca: originCa ? [originCa] : [] };
  const gates = Array.from({ length: count }, () =>
    all.open({ hosts, secrets, services, allow: ['127.0.0.0/8'], ...trusted }, { log: console.error }),
  );
  const ports = [];
  const listeners = fork(fileURLToPath(new URL('held-listeners.mjs', import.meta.url)), [String(count)]);
  await new Promise((done) => {
    listeners.on('message', (listening, handle) => {
      gates[ports.length].serve(handle, place);
      ports.push(listening);
    });
    listeners.once('exit', done);
  });
  const [starter] = childrenOf(process.pid);
  return { ports, ca: all.certificate, measured: childrenOf(starter)[0] };
}

function childrenOf(parent) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => readProc(`${pid}/status`).includes(`\nPPid:\t${parent}\n`))
    .map(Number);
}

function residentBytes(pid) {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readProc(`${pid}/status`))?.[1] ?? 0) * 1024;
}

function readProc(path) {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return '';
  }
}
