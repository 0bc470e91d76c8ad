import type { GatehouseResponse } from '../core/http/request.js';
import { writeRateHeaders } from '../core/rate-limit/rate-headers.js';
import type { RatePolicy, RateVerdict } from '../core/rate-limit/rate-limiter.js';

/** Called with what is left of a limit. */
export type RateReport = (policy: RatePolicy, verdict: RateVerdict) => void;

/** Reports in the headers of a response. */
export function inHeadersOf(response: GatehouseResponse): RateReport {
  return (policy, verdict) => writeRateHeaders(response, policy, verdict);
}
