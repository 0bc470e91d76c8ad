// A process with gates, or with the bare TLS relay that they are measured against.
import net from 'node:net';
import tls from 'node:tls';

import {
  CertificateAuthority,
  Dialer,
  HostSet,
  LeafContexts,
  createGate,
} from '../../../dist/libs/egress/index.js';

const { mode, port, ca: originCa, count, secret } = JSON.parse(process.argv[2]);
const contexts = new LeafContexts(new CertificateAuthority());
const listen = (server) =>
  new Promise((done) => server.listen(0, '127.0.0.1', () => done(server.address().port)));
global.gc?.();
const before = process.memoryUsage().rss;
const ports = [];
if (mode === 'relay') {
  const server = tls.createServer(
    { SNICallback: (name, done) => done(null, contexts.contextFor(name)) },
    (socket) => {
      const upstream = tls.connect({ host: '127.0.0.1', port, servername: 'localhost', ca: originCa });
      socket.pipe(upstream).pipe(socket);
      for (const end of [socket, upstream]) end.on('error', () => socket.destroy());
    },
  );
  ports.push(await listen(server));
} else {
  const dialer = new Dialer({ allow: ['127.0.0.0/8'], ca: [originCa] });
  const hosts = new HostSet([`localhost:${port}`]);
  for (let index = 0; index < count; index++) {
    const listener = net.createServer();
    ports.push(await listen(listener));
    const secrets = secret === null ? [] : [{ name: 'KEY', hosts, header: 'x-key', value: secret }];
    createGate({ ca: contexts, hosts, secrets, dialer, log: console.error }).serve(listener, port);
  }
}
let peak = 0;
setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20).unref();
process.on('message', (question) => {
  if (question === 'settle') global.gc?.();
  const { rss } = process.memoryUsage();
  if (question === 'settle') peak = rss;
  process.send({ rss, peak, before });
});
process.send({ ports, ca: contexts.authority.certificate });
