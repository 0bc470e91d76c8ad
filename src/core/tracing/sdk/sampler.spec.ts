import { ROOT_CONTEXT, SpanKind, TraceFlags, trace } from '@opentelemetry/api';
import { SamplingDecision } from '@opentelemetry/sdk-trace';
import { describe, expect, it } from 'vitest';

import { SAMPLER_NAMES, type SamplerName } from '../../config/index.js';
import { OwnSampler } from './sampler.js';

/** One that a ratio would always take, and one that it never would. */
const LOW = '00000001'.repeat(4);
const HIGH = 'fffffffe'.repeat(4);

function recorded(
  sampler: SamplerName,
  { traceId, isRemote, sampled }: { traceId: string; isRemote: boolean; sampled: boolean },
  samplerRatio = 0.5,
): boolean {
  const traceFlags = sampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  const parent = { traceId, spanId: '00f067aa0ba902b7', traceFlags, isRemote };
  const own = new OwnSampler({ sampler, samplerRatio });
  const context = trace.setSpanContext(ROOT_CONTEXT, parent);
  const { decision } = own.shouldSample(context, traceId, 'GET', SpanKind.SERVER, {}, []);
  return decision === SamplingDecision.RECORD_AND_SAMPLED;
}

describe('the sampler', () => {
  it.each(SAMPLER_NAMES)('goes on as the trace began here: %s', (sampler) => {
    for (const traceId of [LOW, HIGH]) {
      expect(recorded(sampler, { traceId, isRemote: false, sampled: true })).toBe(true);
      expect(recorded(sampler, { traceId, isRemote: false, sampled: false })).toBe(false);
    }
  });

  it.each([
    ['always_on', true],
    ['parentbased_always_on', true],
    ['always_off', false],
    ['parentbased_always_off', false],
  ] as const)('takes no word of a client: %s', (sampler, expected) => {
    for (const sampled of [true, false]) {
      expect(recorded(sampler, { traceId: LOW, isRemote: true, sampled })).toBe(expected);
    }
  });

  it.each(['traceidratio', 'parentbased_traceidratio'] as const)(
    'leaves no choice to a client that picks its trace: %s',
    (sampler) => {
      for (const traceId of [LOW, HIGH]) {
        const taken = Array.from({ length: 400 }, () =>
          recorded(sampler, { traceId, isRemote: true, sampled: true }),
        ).filter(Boolean).length;
        expect(taken).toBeGreaterThan(100);
        expect(taken).toBeLessThan(300);
      }
    },
  );
});
