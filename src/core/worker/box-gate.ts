import { type HostUsage, type RemoteGate, parseHost } from '../../../libs/egress/index.js';
import type { BoxExit, BoxNetwork, BoxedProcess } from '../../../libs/sandbox/index.js';

/** The only way out of a box. */
export class BoxGate {
  /** What the sandbox needs to lead the box's connections to the gate. */
  readonly network: BoxNetwork;

  constructor(
    private readonly gate: RemoteGate,
    hosts: readonly string[],
    caPem: string,
  ) {
    const patterns = hosts.map((host) => parseHost(host));
    this.network = {
      ports: [...new Set([443, ...patterns.map(({ port }) => port)])],
      // The names that a wildcard stands for are not known beforehand; the gate's DNS server resolves them.
      names: [...new Set(patterns.filter(({ wildcard }) => !wildcard).map(({ name }) => name))],
      caPem,
    };
  }

  /** Serves the sockets that listen in the box. Connections made before wait in the sockets' backlog. */
  async attach(box: BoxedProcess): Promise<void> {
    const network = await box.network;
    if (!network) return;
    for (const { handle, port } of network.servers) this.gate.serve(handle, port);
    this.gate.serveDns(network.dns);
  }

  /** What the box tried beside the gate. */
  noteRefused({ refusedPorts }: BoxExit): void {
    for (const { port, attempts } of refusedPorts) this.gate.refusedPort(port, attempts);
  }

  /** Resolves with what went through, when all events have been reported. */
  close(): Promise<HostUsage[]> {
    return this.gate.close();
  }
}
