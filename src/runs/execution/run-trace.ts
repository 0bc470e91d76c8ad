import type { GateRequest, HostUsage } from '../../../libs/egress/index.js';
import type { Span, Tracing } from '../../core/tracing/index.js';
import type { RunOutcome } from '../run.status.js';
import type { ClaimedRun } from './claimed-run.js';

/** What a run goes through on its worker, each until the next begins. */
export type RunPhase = 'prepare' | 'start' | 'script' | 'outputs' | 'end';

/**
 * A run in its trace: a span for what this worker does, below it the time that it waited, its phases, and below the script
 * its requests. Without tracing it does nothing.
 */
export class RunTrace {
  private readonly span: Span | null;
  private phase: Span | null = null;
  private script: Span | null = null;
  private outcome: RunOutcome | null = null;

  constructor(
    private readonly tracing: Tracing,
    run: ClaimedRun,
  ) {
    const { traceparent, waitedSeconds } = run;
    this.span = tracing.begin('run', { kind: 'consumer', parent: traceparent, facts: factsOf(run) });
    if (waitedSeconds === null) return;
    const at = Date.now() - Math.max(0, waitedSeconds) * 1000;
    this.below('wait', { at })?.end();
  }

  /** For what follows from the run; null where there is no tracing. */
  get traceparent(): string | null {
    return this.span?.traceparent ?? null;
  }

  get isOn(): boolean {
    return this.span !== null;
  }

  async around(work: () => Promise<void>): Promise<void> {
    try {
      await this.tracing.within(this.span, work);
    } finally {
      this.phase?.end();
      this.span?.end({ failed: this.outcome === 'failed' });
    }
  }

  enter(phase: RunPhase): void {
    this.phase?.end();
    this.phase = this.below(phase);
    if (phase === 'script') this.script = this.phase;
  }

  /** Host as declared, method and status: the gate tells no more. */
  requested({ host, method, status, refused, at, durationMs }: GateRequest): void {
    const parent = (this.script ?? this.span)?.traceparent;
    if (parent === undefined) return;
    const [address = '', port] = host?.split(':') ?? [];
    const span = this.tracing.begin(`${method} ${host ?? '(not declared)'}`, {
      kind: 'client',
      parent,
      at,
      facts: {
        'http.request.method': method,
        ...(host !== null && { 'server.address': address, 'server.port': Number(port ?? 443) }),
        ...(status !== null && { 'http.response.status_code': status }),
        'gatehouse.gate.refused': refused,
      },
    });
    span?.end({ at: at + durationMs, failed: refused || status === null || status >= 400 });
  }

  ended(outcome: RunOutcome, network: readonly HostUsage[]): void {
    this.outcome = outcome;
    if (!this.span) return;
    const count = (of: 'requests' | 'denied'): number => network.reduce((sum, usage) => sum + usage[of], 0);
    this.span.set({
      'gatehouse.run.outcome': outcome,
      'gatehouse.gate.requests': count('requests'),
      'gatehouse.gate.denied': count('denied'),
    });
  }

  private below(name: string, { at }: { at?: number } = {}): Span | null {
    const parent = this.traceparent;
    return parent === null ? null : this.tracing.begin(name, { parent, ...(at !== undefined && { at }) });
  }
}

function factsOf(run: ClaimedRun): Record<string, string | number> {
  return {
    'gatehouse.run.id': run.id,
    'gatehouse.run.claim': run.claim,
    'gatehouse.workspace.id': run.workspaceId,
    'gatehouse.environment.id': run.environmentId,
    'gatehouse.script.id': run.scriptId,
    'gatehouse.script.version': run.version,
  };
}
