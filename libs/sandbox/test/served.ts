import { type BindOptions, createSocket } from 'node:dgram';
import { createServer } from 'node:https';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { DnsStub } from '../../egress/dns-stub.js';
import { CertificateAuthority, LeafContexts } from '../../egress/index.js';
import type { BoxedProcess, BoxNetwork, BoxSpec } from '../box.js';
import type { Sandbox } from '../sandbox.js';
import { appDirectory, finish } from './in-box.js';
import type { Finished } from './in-box.js';

const contexts = new LeafContexts(new CertificateAuthority());

/** The egress of a box, to a server of ours for every name. */
export function network(options: Partial<BoxNetwork> = {}): BoxNetwork {
  return { ports: [], names: ['api.example.com'], caPem: contexts.authority.certificate, ...options };
}

/** Responds to what comes through a box's sockets with `<greeting> <host><path> <port>`, and to every DNS query. */
export async function serve(box: BoxedProcess, greeting = 'hello', connection = 'close'): Promise<void> {
  const sockets = await box.network;
  if (!sockets) return;
  const dns = createSocket('udp4');
  new DnsStub(dns);
  dns.bind(sockets.dns as unknown as BindOptions);
  for (const { port, handle } of sockets.servers) {
    const https = createServer(
      {
        ...contexts.nameless,
        SNICallback: (name, done) => done(null, contexts.contextFor(name)),
      },
      (req, res) =>
        res.setHeader('connection', connection).end(`${greeting} ${req.headers.host}${req.url} ${port}\n`),
    );
    const open: Socket[] = [];
    const server = createTcpServer((socket) => {
      open.push(socket);
      https.emit(
        'connection',
        socket.on('error', () => undefined),
      );
    });
    server.on('error', () => undefined).listen(handle);
    const close = (): void => {
      server.close();
      for (const socket of open) socket.destroy();
    };
    void box.exited.then(close, close);
  }
}

/** Runs a command with egress to its end and disposes of the box. */
export async function runServed(
  sandbox: Sandbox,
  spec: Partial<BoxSpec> & Pick<BoxSpec, 'argv'>,
  greeting?: string,
): Promise<Finished> {
  const app = spec.app ? null : appDirectory();
  const box = sandbox.run({ env: {}, app: app?.path ?? '', timeoutMs: 20_000, network: network(), ...spec });
  const serving = serve(box, greeting);
  try {
    return await finish(box);
  } finally {
    await serving;
    await box.dispose();
    app?.remove();
  }
}
