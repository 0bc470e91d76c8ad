import { Dialer, EgressError, type Origin } from '../../../libs/egress/index.js';
import { RegistryReader } from '../../builds/index.js';
import type { AwsSecretsSettings, LogSinkSettings, Settings } from '../../core/config/index.js';
import { inTime } from '../../core/time-limit/index.js';
import { type Finding, ok, warn } from './finding.js';

const DIAL_MS = 5_000;
const ASK_MS = 20_000;
/** Where OpenTelemetry sends to when it is told nowhere. */
const DEFAULT_COLLECTOR = 'http://localhost:4318';
const PORTS = { 'http:': 80, 'https:': 443 };

/**
 * Whether what the settings name takes a connection, with a certificate that is trusted. Nothing is asked of it, so no key is sent.
 * Without it the service starts and what it is for waits or fails: none of these is worse than a warning.
 */
async function reached(
  { name, cure, of }: { name: string; cure: string; of: string },
  { host, port, protocol }: Origin,
  ca: readonly string[] = [],
): Promise<Finding> {
  const where = `${host}:${port}`;
  // The operator's own addresses, which may well be private.
  const dialer = new Dialer({ allow: ['0.0.0.0/0', '::/0'], timeoutMs: DIAL_MS, ca });
  try {
    const socket = await (protocol === 'https:'
      ? dialer.connectTls({ host, port })
      : dialer.connect({ host, port }));
    socket.destroy();
    return ok(name, where);
  } catch (error) {
    const why = error instanceof EgressError ? error.reason : 'no connection in time';
    return warn(name, `${where} (${of}) cannot be reached: ${why}`, cure);
  }
}

export async function examineLogSink({ logSink }: Settings): Promise<Finding> {
  if (logSink === null) return ok('log sink', 'none: GATEHOUSE_LOG_SINK is not set');
  const cure =
    'Entries wait until it takes them. See to it and to what is between, or correct GATEHOUSE_LOG_SINK.';
  return reached({ name: 'log sink', of: 'GATEHOUSE_LOG_SINK', cure }, originOfSink(logSink));
}

function originOfSink(sink: LogSinkSettings): Origin {
  switch (sink.kind) {
    case 'syslog':
      return { host: sink.host, port: sink.port, protocol: sink.tls ? 'https:' : 'http:' };
    case 's3':
      return originOf(sink.endpoint ?? `https://s3.${sink.region}.amazonaws.com`);
    case 'otlp':
      return collectorOf('LOGS');
  }
}

export async function examineCollector({ tracing }: Settings): Promise<Finding> {
  if (tracing === null) return ok('traces', 'none: OTEL_EXPORTER_OTLP_ENDPOINT is not set');
  const cure =
    'Traces are lost until it takes them. Start the collector, or correct OTEL_EXPORTER_OTLP_ENDPOINT.';
  return reached({ name: 'traces', of: 'OTEL_EXPORTER_OTLP_ENDPOINT', cure }, collectorOf('TRACES'));
}

export async function examineModels({ models: { url } }: Settings): Promise<Finding> {
  if (url === null) return ok('models', 'none: GATEHOUSE_MODEL_URL is not set');
  const cure = 'Agents do not answer until then. Correct GATEHOUSE_MODEL_URL, or see to what is between.';
  return reached({ name: 'models', of: 'GATEHOUSE_MODEL_URL', cure }, originOf(url));
}

export async function examineSecretStores({ secretStores: { vault, aws } }: Settings): Promise<Finding[]> {
  const cure =
    'Runs that need a secret from there fail until then. Correct the setting, or see to what is between.';
  const name = 'secret stores';
  const stores = [
    ...(vault ? [{ of: 'GATEHOUSE_VAULT_ADDRESS', at: vault.address, ca: vault.ca }] : []),
    ...(aws ? [{ of: 'GATEHOUSE_AWS_SECRETS_REGION', at: addressOfAws(aws), ca: null }] : []),
  ];
  if (stores.length === 0) {
    return [ok(name, 'none: neither GATEHOUSE_VAULT_ADDRESS nor GATEHOUSE_AWS_SECRETS_REGION is set')];
  }
  return Promise.all(
    stores.map(({ of, at, ca }) => reached({ name, of, cure }, originOf(at), ca === null ? [] : [ca])),
  );
}

function addressOfAws({ endpoint, region }: AwsSecretsSettings): string {
  return endpoint ?? `https://secretsmanager.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
}

/** Those that pip and npm are configured for here: dependencies of scripts come from there, through the gate. */
export async function examineRegistries(settings: Settings): Promise<Finding[]> {
  const cure =
    'Scripts with dependencies cannot be installed until then. Correct the index of pip or the registry of npm, or see to what is between.';
  const name = 'registry';
  const late = (): Error =>
    new Error(`pip and npm do not say within ${ASK_MS / 1000} s where they install from`);
  const read = inTime({ ms: ASK_MS, late }, () => new RegistryReader(settings).read('python3'));
  const found = await read.catch((error: unknown) => error as Error);
  if (found instanceof Error) return [warn(name, found.message, cure)];
  const { access, ca, ...clients } = found;
  const missing = [clients.pip, clients.npm].flatMap((client) =>
    'missing' in client ? [client.missing] : [],
  );
  const as = { name, of: 'as pip or npm is configured', cure };
  return [
    ...missing.map((why) =>
      warn(name, why, 'Scripts of its language cannot have dependencies. Install it where scripts see it.'),
    ),
    ...(await Promise.all([...access.origins.values()].map((origin) => reached(as, origin, ca)))),
  ];
}

/** OpenTelemetry's own variables; the special one of a kind goes first. */
function collectorOf(kind: 'LOGS' | 'TRACES'): Origin {
  const named = [`OTEL_EXPORTER_OTLP_${kind}_ENDPOINT`, 'OTEL_EXPORTER_OTLP_ENDPOINT'].map(
    (name) => process.env[name],
  );
  return originOf(named.find((address) => address) ?? DEFAULT_COLLECTOR);
}

function originOf(address: string): Origin {
  const { hostname, port, protocol } = new URL(address) as URL & Pick<Origin, 'protocol'>;
  return { host: hostname, port: port === '' ? PORTS[protocol] : Number(port), protocol };
}
