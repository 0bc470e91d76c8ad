import {
  type GateService,
  type HostPattern,
  HostSet,
  type HostUsage,
  type RemoteGate,
  parseHost,
} from '../../../libs/egress/index.js';
import type { BoxExit, BoxNetwork, BoxedProcess } from '../../../libs/sandbox/index.js';

/** The only way out of a box. */
export class BoxGate {
  /** What the sandbox needs to lead the box's connections to the gate. */
  readonly network: BoxNetwork;

  constructor(
    private readonly gate: RemoteGate,
    hosts: readonly string[],
    caPem: string,
    services: readonly GateService[] = [],
  ) {
    const patterns = hosts.map((host) => parseHost(host));
    const addresses = new Map(services.map(({ host, address }) => [parseHost(host).name, address]));
    const names = patterns.filter(({ wildcard }) => !wildcard).map(({ name }) => name);
    this.network = {
      ports: patterns.map(({ port }) => port),
      // The names that a wildcard stands for are not known beforehand; the gate's DNS server resolves them.
      names: [...new Set(names)].filter((name) => !addresses.has(name)),
      apart: [
        ...services.map(({ host, address }) => ({ ...placeOf(host), address })),
        ...httpsPlaces(patterns, addresses),
      ],
      caPem,
    };
  }

  /** Serves the sockets that listen in the box. Connections made before wait in the sockets' backlog. */
  async attach(box: BoxedProcess): Promise<void> {
    const network = await box.network;
    if (!network) return;
    for (const { handle, ...place } of network.servers) this.gate.serve(handle, place);
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

function placeOf(host: string): { name: string; port: number } {
  const { name, port } = parseHost(host);
  return { name, port };
}

/** A name with an address of its own is reached by HTTPS there, too, where it or a wildcard above it is declared. */
function httpsPlaces(patterns: readonly HostPattern[], addresses: ReadonlyMap<string, string>) {
  const hosts = new HostSet(patterns);
  const ports = [...new Set(patterns.map(({ port }) => port))];
  return [...addresses].flatMap(([name, address]) =>
    ports.filter((port) => hosts.matches(name, port)).map((port) => ({ name, address, port })),
  );
}
