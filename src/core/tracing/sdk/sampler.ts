import { type Context, trace } from '@opentelemetry/api';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  type SamplingResult,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';

import type { SamplerName, TracingSettings } from '../../config/tracing-settings.js';

const SAMPLERS: Record<SamplerName, (ratio: number) => Sampler> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: (ratio) => parentBased('always_on', ratio),
  parentbased_always_off: (ratio) => parentBased('always_off', ratio),
  parentbased_traceidratio: (ratio) => parentBased('traceidratio', ratio),
};

function parentBased(root: SamplerName, ratio: number): Sampler {
  return new ParentBasedSampler({ root: SAMPLERS[root](ratio) });
}

/**
 * The operator's sampler. Parents in rows are our own and count as local; one from elsewhere is a client's, who neither
 * makes us record its request nor hides it: that is decided as for a request without one.
 */
export class OwnSampler implements Sampler {
  private readonly chosen: Sampler;

  constructor({ sampler, samplerRatio }: TracingSettings) {
    this.chosen = SAMPLERS[sampler](samplerRatio);
  }

  shouldSample(context: Context, ...rest: AfterContext): SamplingResult {
    const fromClient = trace.getSpanContext(context)?.isRemote === true;
    return this.chosen.shouldSample(fromClient ? trace.deleteSpan(context) : context, ...rest);
  }

  toString(): string {
    return this.chosen.toString();
  }
}

type AfterContext = Parameters<Sampler['shouldSample']> extends [Context, ...infer Rest] ? Rest : never;
