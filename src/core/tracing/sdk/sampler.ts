import { type Context, trace } from '@opentelemetry/api';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  RandomIdGenerator,
  type Sampler,
  type SamplingResult,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';

import type { SamplerName, TracingSettings } from '../../config/index.js';

type AfterTraceId =
  Parameters<Sampler['shouldSample']> extends [Context, string, ...infer Rest] ? Rest : never;

/**
 * The operator's sampler decides where a trace comes to us, and all our spans of it follow that, in each process: so a name
 * with and without `parentbased_` is the same. A client's parent is remote, one of our rows local. Of a client neither the
 * flag counts nor the id of its trace, which a ratio is otherwise taken of: it would choose what is recorded.
 */
export class OwnSampler implements Sampler {
  private readonly chosen: Sampler;
  private readonly ids = new RandomIdGenerator();

  constructor(settings: TracingSettings) {
    this.chosen = new ParentBasedSampler({ root: rootOf(settings) });
  }

  shouldSample(context: Context, traceId: string, ...rest: AfterTraceId): SamplingResult {
    const fromClient = trace.getSpanContext(context)?.isRemote === true;
    return fromClient
      ? this.chosen.shouldSample(trace.deleteSpan(context), this.ids.generateTraceId(), ...rest)
      : this.chosen.shouldSample(context, traceId, ...rest);
  }

  toString(): string {
    return this.chosen.toString();
  }
}

function rootOf({ sampler, samplerRatio }: TracingSettings): Sampler {
  switch (sampler.replace('parentbased_', '') as SamplerName) {
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(samplerRatio);
    default:
      return new AlwaysOnSampler();
  }
}
