import type { GatehouseResponse } from '../core/http/index.js';
import { type RatePolicy, type RateVerdict, writeRateHeaders } from '../core/rate-limit/index.js';

/** Called with what is left of a limit. */
export type RateReport = (policy: RatePolicy, verdict: RateVerdict) => void;

export function inHeadersOf(response: GatehouseResponse): RateReport {
  return (policy, verdict) => writeRateHeaders(response, policy, verdict);
}
