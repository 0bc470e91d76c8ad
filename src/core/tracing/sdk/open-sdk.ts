import { setTimeout as sleep } from 'node:timers/promises';

import {
  type Context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Span as SdkSpan,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';

import { type TracingSettings, VERSION } from '../../config/index.js';
import type { Span, SpanFacts, SpanSource, SpanStart } from '../span.js';
import { parseTraceparent, writeTraceparent } from '../traceparent.js';
import { OwnSampler } from './sampler.js';
import { serviceResource } from './service-resource.js';
import { TellingExporter } from './telling-exporter.js';

/** Spans that wait for a collector; further ones are dropped. */
const MOST_WAITING = 4_096;
const MOST_AT_ONCE = 512;
const SEND_EVERY_MS = 2_000;
/** A collector that hangs is given up after so long, and the next spans are sent to it. */
const SEND_LIMIT_MS = 10_000;
/** When the process stops, what waits is given so long. */
const CLOSE_LIMIT_MS = 2_000;

const KINDS: Record<NonNullable<SpanStart['kind']>, SpanKind> = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
};

/**
 * OpenTelemetry's SDK. It takes the collector's address, headers, certificates and time-out, and what is said of this
 * service, from the standard variables itself. Nothing global is set: what else uses its interface traces nothing.
 */
export function openSdk(settings: TracingSettings, role: string): SpanSource {
  const provider = new TracerProvider({
    sampler: new OwnSampler(settings),
    resource: serviceResource(role),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new TellingExporter(new OTLPTraceExporter()),
        maxQueueSize: MOST_WAITING,
        maxExportBatchSize: MOST_AT_ONCE,
        scheduledDelayMillis: SEND_EVERY_MS,
        exportTimeoutMillis: SEND_LIMIT_MS,
      }),
    ],
  });
  const tracer = provider.getTracer('gatehouse', VERSION);
  return {
    begin: (name, start) => {
      const { kind = 'internal', at, facts } = start;
      const options = {
        kind: KINDS[kind],
        ...(at !== undefined && { startTime: at }),
        ...(facts && { attributes: facts }),
      };
      return new OpenSpan(tracer.startSpan(name, options, contextOf(start)));
    },
    close: async () => {
      const closed = provider.shutdown().catch(() => undefined);
      await Promise.race([closed, sleep(CLOSE_LIMIT_MS)]);
    },
  };
}

function contextOf({ parent, fromClient = false }: SpanStart): Context {
  const known = parseTraceparent(parent);
  if (!known) return ROOT_CONTEXT;
  const { traceId, spanId, sampled } = known;
  const traceFlags = sampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: fromClient });
}

class OpenSpan implements Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceparent: string;

  constructor(private readonly span: SdkSpan) {
    const { traceId, spanId, traceFlags } = span.spanContext();
    this.traceId = traceId;
    this.spanId = spanId;
    this.traceparent = writeTraceparent({
      traceId,
      spanId,
      sampled: (traceFlags & TraceFlags.SAMPLED) !== 0,
    });
  }

  set(facts: SpanFacts): void {
    this.span.setAttributes(facts);
  }

  rename(name: string): void {
    this.span.updateName(name);
  }

  end({ failed = false, at }: { failed?: boolean; at?: number } = {}): void {
    if (failed) this.span.setStatus({ code: SpanStatusCode.ERROR });
    this.span.end(at);
  }
}
