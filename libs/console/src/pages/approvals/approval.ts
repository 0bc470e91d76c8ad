import type { ApprovalRequest, HostRule, Retry } from '@gatehouse/client/operations';

/** What a request to start a run says of it. */
export interface RunInput {
  script: string;
  version: number;
  environment: string;
  inputs: Record<string, unknown>;
  hosts: string[];
  /** Where some of them have rules. */
  hostRules?: HostRule[];
  test: boolean;
  /** It only reads: what it would send is listed. */
  plan?: true;
  startAt?: string;
  expiresAt?: string;
  retry?: Retry;
  priority?: number;
  labels?: Record<string, string>;
}

/** What the start says beyond its version and inputs. */
export function besidesOf(run: RunInput): Record<string, unknown> {
  const { startAt, expiresAt, retry, priority, labels } = run;
  const named = { 'not before': startAt, 'not after': expiresAt, attempts: retry, priority, labels };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
}

export function runInputOf({ action, input }: Pick<ApprovalRequest, 'action' | 'input'>): RunInput | null {
  return action === 'run.start' ? (input as unknown as RunInput) : null;
}

/** The version of a script that a request lets run or publishes; a trial is none. */
export function versionOf({
  action,
  input,
}: Pick<ApprovalRequest, 'action' | 'input'>): { slug: string; number: number } | null {
  const { script, slug, version } = input;
  if (action === 'run.start' && version !== 0) return { slug: String(script), number: Number(version) };
  if (action === 'script.publish') return { slug: String(slug), number: Number(version) };
  return null;
}

/** In five words what will happen; the service's own sentence stands below it. */
export function headingOf(request: Pick<ApprovalRequest, 'action' | 'input' | 'title'>): string {
  const run = runInputOf(request);
  if (run)
    return `${run.plan ? 'Plan a run of' : run.test ? 'Test' : 'Run'} ${run.script} in ${run.environment}`;
  if (request.action === 'request.send')
    return `Send ${String(request.input['method'])} ${String(request.input['address'])}`;
  const version = versionOf(request);
  if (version) return `Publish version ${version.number} of ${version.slug}`;
  return request.title;
}

type Asker = Pick<ApprovalRequest, 'requestedBy' | 'requestedWith'>;

/** Who asked: `Ada`, `The API key CI`. */
export function askerOf(
  { requestedBy, requestedWith }: Asker,
  nameOf: (userId: string) => string | null,
): string {
  if (requestedBy !== null) return nameOf(requestedBy) ?? 'Somebody';
  return requestedWith === null ? 'An API key' : `The API key ${requestedWith}`;
}

/** ` with laptop`, where a person did so by a token or an app. */
export function meansOf({ requestedBy, requestedWith }: Asker): string {
  return requestedBy === null || requestedWith === null ? '' : ` with ${requestedWith}`;
}

/** The run that was let go, or waits to be. */
export function runIdOf({ runId, result }: Pick<ApprovalRequest, 'runId' | 'result'>): string | null {
  if (runId) return runId;
  return typeof result?.['runId'] === 'string' ? result['runId'] : null;
}

/** A run, or a request of one: all of it is shown where it is decided. What else is asked for has a page, with its difference. */
export function isDecidedInPlace(request: ApprovalRequest): boolean {
  return (request.action === 'run.start' || request.action === 'request.send') && waitsForMe(request);
}

/** Whether the person is offered to decide it; the service judges each decision anew. */
export function waitsForMe({ status, mayDecide }: Pick<ApprovalRequest, 'status' | 'mayDecide'>): boolean {
  return status === 'pending' && mayDecide !== false;
}
