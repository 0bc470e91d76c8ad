import type { SettingsReader } from './settings-reader.js';

/** Where audit entries and ends of runs are sent. */
export type LogSinkSettings =
  /** The collector that OpenTelemetry's own variables name. */
  | { kind: 'otlp' }
  | { kind: 'syslog'; host: string; port: number; tls: boolean }
  | { kind: 's3'; bucket: string; prefix: string; endpoint: string | null; region: string };

const TAKES =
  '`otlp`, `syslog+tcp://host:port`, `syslog+tls://host:port` or `s3://bucket/prefix` (otlp with OTEL_EXPORTER_OTLP_ENDPOINT)';
const S3 = /^s3:\/\/([^/@]+)(?:\/(.*))?$/;
const SYSLOG = /^syslog\+(tcp|tls):\/\/(\[[0-9a-f:.]+\]|[^/:@\s]+):(\d{1,5})\/?$/i;

/** null: they are sent nowhere. */
export function readLogSink(
  read: SettingsReader,
  store: { endpoint: string | null; region: string },
): LogSinkSettings | null {
  const ofLogs = read.url('OTEL_EXPORTER_OTLP_LOGS_ENDPOINT', ['http:', 'https:']);
  const hasCollector = ofLogs !== null || read.text('OTEL_EXPORTER_OTLP_ENDPOINT') !== null;
  const value = read.text('GATEHOUSE_LOG_SINK');
  if (value === null) return null;
  if (value === 'otlp' && hasCollector) return { kind: 'otlp' };
  const s3 = S3.exec(value);
  if (s3) return { kind: 's3', bucket: s3[1]!, prefix: (s3[2] ?? '').replace(/\/+$/, ''), ...store };
  const [, transport, host, port] = SYSLOG.exec(value) ?? [];
  if (host !== undefined && Number(port) > 0 && Number(port) < 65_536) {
    return { kind: 'syslog', host, port: Number(port), tls: transport!.toLowerCase() === 'tls' };
  }
  read.refuse('GATEHOUSE_LOG_SINK', TAKES);
  return null;
}
