import type { GatehouseResponse } from '../core/http/index.js';
import { type RateReport, writeRateHeaders } from '../core/rate-limit/index.js';

export function inHeadersOf(response: GatehouseResponse): RateReport {
  return (policy, verdict) => writeRateHeaders(response, policy, verdict);
}
