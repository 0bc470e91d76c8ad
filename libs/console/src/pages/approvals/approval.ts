import type { ApprovalRequest } from '@gatehouse/client';

/** The last request of the same action and script that was approved. */
export interface PreviousApproval {
  id: string;
  input: Record<string, unknown>;
  decidedAt: string | null;
  decidedBy: { userId: string; name: string } | null;
}

export type Approval = ApprovalRequest & {
  /** Whether it waits for this person. */
  mayDecide?: boolean;
  /** The held run that it is about. */
  runId?: string | null;
  previous?: PreviousApproval | null;
};

/** What a request to start a run says of it. */
export interface RunInput {
  script: string;
  version: number;
  environment: string;
  inputs: Record<string, unknown>;
  hosts: string[];
  test: boolean;
}

export function runInputOf({ action, input }: Pick<Approval, 'action' | 'input'>): RunInput | null {
  return action === 'run.start' ? (input as unknown as RunInput) : null;
}

/** The version of a script that a request lets run or publishes. */
export function versionOf({
  action,
  input,
}: Pick<Approval, 'action' | 'input'>): { slug: string; number: number } | null {
  const { script, slug, version } = input;
  if (action === 'run.start') return { slug: String(script), number: Number(version) };
  if (action === 'script.publish') return { slug: String(slug), number: Number(version) };
  return null;
}

/** In five words what will happen; the service's own sentence stands below it. */
export function headingOf(request: Pick<Approval, 'action' | 'input' | 'title'>): string {
  const run = runInputOf(request);
  if (run) return `${run.test ? 'Test' : 'Run'} ${run.script} in ${run.environment}`;
  const version = versionOf(request);
  if (version) return `Publish version ${version.number} of ${version.slug}`;
  return request.title;
}

/** The run that was let go, or waits to be. */
export function runIdOf({ runId, result }: Pick<Approval, 'runId' | 'result'>): string | null {
  if (runId) return runId;
  return typeof result?.['runId'] === 'string' ? result['runId'] : null;
}

/** Whether the person is offered to decide it; the service judges each decision anew. */
export function waitsForMe({ status, mayDecide }: Pick<Approval, 'status' | 'mayDecide'>): boolean {
  return status === 'pending' && mayDecide !== false;
}
