import type net from 'node:net';
import type { GateContext } from '../gate-context.js';
import { type Admission, GateListener } from '../gate-listener.js';
import type { GateOptions, GateService } from '../gate-options.js';
import { hostLabel, parseHost } from '../host-pattern.js';
import { HostSet } from '../host-set.js';
import { Router } from '../router.js';
import { PostgresProtocol } from './postgres/index.js';
import { RefusedProtocol } from './refused-protocol.js';
import { ServiceListener } from './service-listener.js';
import type { ServiceProtocol } from './service-protocol.js';
import { PipeProtocol } from './tcp/pipe-protocol.js';
import { TlsProtocol } from './tls/tls-protocol.js';

type ServiceParts = Pick<GateOptions, 'ca' | 'dialer' | 'onSecretUsed' | 'secrets'> & {
  listener: net.Server;
};

/** Serves what connects to the address of one host. */
export function openService(
  service: GateService,
  gate: GateContext,
  admission: Admission,
  parts: ServiceParts,
): { close(): void } {
  const { ca, listener, secrets = [] } = parts;
  const { name, port } = parseHost(service.host);
  if (service.protocol !== 'http')
    return new ServiceListener(gate, admission, {
      ...parts,
      service,
      protocol: protocolOf(service, parts, gate.withheld !== null),
    });
  // No other host can be reached by it. What is harmless is attached unasked, and nobody has allowed it in the clear.
  const origin = { host: name, port, protocol: 'http:' as const, guarded: true };
  const meant = secrets.filter(({ harmlessBelow }) => harmlessBelow === undefined);
  const router = new Router(meant, new Map([[hostLabel(name, port), origin]]));
  const context = { ...gate, hosts: new HostSet([service.host]), router };
  return new GateListener(context, admission, { contexts: ca, listener, port, plain: name });
}

function protocolOf(
  { host, protocol, postgres }: GateService,
  { ca, dialer }: ServiceParts,
  readsOnly: boolean,
): ServiceProtocol {
  const { name } = parseHost(host);
  if (postgres) {
    return new PostgresProtocol(postgres, { contexts: ca, dialer, readsOnly });
  }
  if (readsOnly) return new RefusedProtocol();
  return protocol === 'tls' ? new TlsProtocol(name, ca, dialer) : new PipeProtocol();
}
