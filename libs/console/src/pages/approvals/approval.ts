import type { ApprovalRequest, HostRule } from '@gatehouse/client/operations';

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
  if (run) return `${run.test ? 'Test' : 'Run'} ${run.script} in ${run.environment}`;
  const version = versionOf(request);
  if (version) return `Publish version ${version.number} of ${version.slug}`;
  return request.title;
}

/** The run that was let go, or waits to be. */
export function runIdOf({ runId, result }: Pick<ApprovalRequest, 'runId' | 'result'>): string | null {
  if (runId) return runId;
  return typeof result?.['runId'] === 'string' ? result['runId'] : null;
}

/** A run, all of which fits into a few lines; what else is asked for is decided on its own page, with its difference. */
export function isDecidedInPlace(request: ApprovalRequest): boolean {
  return request.action === 'run.start' && waitsForMe(request);
}

/** Whether the person is offered to decide it; the service judges each decision anew. */
export function waitsForMe({ status, mayDecide }: Pick<ApprovalRequest, 'status' | 'mayDecide'>): boolean {
  return status === 'pending' && mayDecide !== false;
}
