import type { SettingsReader } from './settings-reader.js';

export const SAMPLER_NAMES = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const;
export type SamplerName = (typeof SAMPLER_NAMES)[number];

/** What of tracing is decided here. Where spans go and what is said of the service, the SDK reads from the same variables. */
export interface TracingSettings {
  sampler: SamplerName;
  /** 0 to 1: the part of traces that is recorded, where the sampler is one of a ratio. */
  samplerRatio: number;
}

const PAIRS = /^[^=,\s]+=[^,]*(?:,\s*[^=,\s]+=[^,]*)*$/;
const RATIO = /^(?:0|1|0?\.\d+|1\.0+|0\.0+)$/;

/**
 * OpenTelemetry's standard variables, as far as they are understood. null: no collector is named, or it is said that there
 * is to be no tracing.
 */
export function readTracingSettings(read: SettingsReader): TracingSettings | null {
  const disabled = read.oneOf('OTEL_SDK_DISABLED', ['true', 'false'], 'false') === 'true';
  const exporter = read.matching('OTEL_TRACES_EXPORTER', /^(?:otlp|none)$/, 'one of otlp, none');
  const endpoints = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'].map((name) =>
    read.url(name, ['http:', 'https:']),
  );
  for (const name of ['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL']) {
    read.oneOf(name, ['http/protobuf'], 'http/protobuf');
  }
  const pairs = 'pairs such as key=value, separated by commas';
  read.matching('OTEL_EXPORTER_OTLP_HEADERS', PAIRS, pairs);
  read.matching('OTEL_EXPORTER_OTLP_TRACES_HEADERS', PAIRS, pairs);
  read.matching('OTEL_RESOURCE_ATTRIBUTES', PAIRS, pairs);
  read.text('OTEL_SERVICE_NAME');
  const sampler = read.oneOf('OTEL_TRACES_SAMPLER', SAMPLER_NAMES, 'parentbased_always_on');
  const samplerRatio = Number(read.matching('OTEL_TRACES_SAMPLER_ARG', RATIO, 'a number from 0 to 1') ?? 1);
  const named = exporter === 'otlp' || endpoints.some((endpoint) => endpoint !== null);
  return !disabled && exporter !== 'none' && named ? { sampler, samplerRatio } : null;
}
