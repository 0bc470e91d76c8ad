import type { AuthorityIdentity } from '../certificate-authority.js';
import type { HeldRequest } from '../held-request.js';
import type { Refusal } from '../refusal.js';
import { type GateRequest, isKnownMethod, OTHER_METHOD } from '../gate-requests.js';
import { isRecord } from '../is-record.js';
import type { HostUsage } from '../usage-counters.js';
import type { WithheldRequest } from '../withheld-request.js';
import type { GatePlan } from './gate-plan.js';
import { heldRequestOf } from './held-report.js';
import { isCount, listOf, textOf } from './report-fields.js';
import { withheldRequestOf } from './withheld-report.js';

/** Where a socket of the box listens. */
export interface Place {
  address: string;
  port: number;
}

/** What the worker tells the gate's process, over Node's channel. `serve` and `dns` come with a socket. */
export type Order =
  | { type: 'start'; authority: AuthorityIdentity; trusted: readonly string[] }
  | { type: 'open'; id: number; plan: GatePlan }
  | { type: 'serve'; id: number; place: Place }
  | { type: 'dns'; id: number }
  /** About the held request of this number; null: it is sent. */
  | { type: 'verdict'; id: number; number: number; refusal: Refusal | null }
  | { type: 'close'; id: number }
  | { type: 'ping' };

/** What the gate's process tells the worker: lines of JSON through a pipe. */
export type Report =
  | { type: 'ready' }
  | { type: 'pong' }
  | { type: 'log'; id: number; line: string }
  | { type: 'used'; id: number; names: string[] }
  | { type: 'usage'; id: number; usage: HostUsage[] }
  | { type: 'request'; id: number; request: GateRequest }
  /** It waits for a verdict. */
  | { type: 'held'; id: number; request: HeldRequest }
  /** The script has hung up, so nobody needs to decide about the held request of this number any more. */
  | { type: 'gone'; id: number; number: number }
  /** It was not sent, since the run only reads. */
  | { type: 'withheld'; id: number; request: WithheldRequest }
  /** The gate of this number is closed; nothing more comes of it. */
  | { type: 'closed'; id: number; usage: HostUsage[] };

/** The descriptor that reports go to; 3 is Node's channel. */
export const REPORTS_FD = 4;

export const MOST_LINE_CHARACTERS = 2_000;
const MOST_NAMES = 1_000;
const MOST_NAME_CHARACTERS = 500;
const MOST_HOSTS = 300;

/** The gate's process reads what hostile code sends and may be in its hands, so every field of a report is checked. */
export function parseReport(text: string): Report | null {
  let report: unknown;
  try {
    report = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isRecord(report)) return null;
  const { type, id } = report;
  if (type === 'ready' || type === 'pong') return { type };
  if (!isCount(id)) return null;
  if (type === 'log') {
    const line = textOf(report['line'], MOST_LINE_CHARACTERS);
    return line === null ? null : { type, id, line };
  }
  if (type === 'used') {
    const names = listOf(report['names'], MOST_NAMES, (name) => textOf(name, MOST_NAME_CHARACTERS));
    return names && { type, id, names };
  }
  if (type === 'request') {
    const request = requestOf(report['request']);
    return request && { type, id, request };
  }
  if (type === 'held') {
    const request = heldRequestOf(report['request']);
    return request && { type, id, request };
  }
  if (type === 'withheld') {
    const request = withheldRequestOf(report['request']);
    return request && { type, id, request };
  }
  if (type === 'gone') {
    const { number } = report;
    return isCount(number) ? { type, id, number } : null;
  }
  if (type !== 'usage' && type !== 'closed') return null;
  const usage = listOf(report['usage'], MOST_HOSTS, usageOf);
  return usage && { type, id, usage };
}

function usageOf(value: unknown): HostUsage | null {
  if (!isRecord(value)) return null;
  const host = textOf(value['host'], MOST_NAME_CHARACTERS);
  const { requests, denied, bytesIn, bytesOut, connections, seconds } = value;
  if (host === null) return null;
  if (!isCount(requests) || !isCount(denied) || !isCount(bytesIn) || !isCount(bytesOut)) return null;
  const usage = { host, requests, denied, bytesIn, bytesOut };
  if (connections === undefined && seconds === undefined) return usage;
  return isCount(connections) && isCount(seconds) ? { ...usage, connections, seconds } : null;
}

function requestOf(value: unknown): GateRequest | null {
  if (!isRecord(value)) return null;
  const { method, status, refused, at, durationMs } = value;
  const host = value['host'] === null ? null : textOf(value['host'], MOST_NAME_CHARACTERS);
  if (host === null && value['host'] !== null) return null;
  if (typeof method !== 'string' || (method !== OTHER_METHOD && !isKnownMethod(method))) return null;
  if (status !== null && !(isCount(status) && status >= 100 && status <= 999)) return null;
  if (typeof refused !== 'boolean' || !isCount(at) || !isCount(durationMs)) return null;
  return { host, method, status, refused, at, durationMs };
}
