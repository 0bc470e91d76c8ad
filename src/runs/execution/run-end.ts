import type { HostUsage } from '../../../libs/egress/index.js';
import type { Labels } from '../../scripts/index.js';
import type { OutputView } from '../output/output-view.js';
import type { LogChange } from '../output/log-collector.js';
import type { RunRow } from '../run-columns.js';
import type { RunOutcome } from '../run.status.js';

/** What a worker has learned while the command runs. */
export interface LiveState {
  log: LogChange;
  progress: number | null;
  progressMessage: string | null;
  /** null: as they were when it was taken. */
  labels: Labels | null;
  /** What the script asks for its output to be shown as. */
  outputView: OutputView | null;
}

export interface RunEnd extends LiveState {
  outcome: RunOutcome;
  /** As JSON text; null for none. */
  output: string | null;
  error: string | null;
  /** null: its command never began. */
  durationMs: number | null;
  /** What its box has used. null: not known, or there was none. */
  cpuMs: number | null;
  peakMemoryBytes: number | null;
  /** How much went through the gate, by host. */
  network: HostUsage[];
  /** Where its worker's part of the trace begins; null: it has none. */
  traceparent: string | null;
}

/** The row of a run whose end was written. */
export type EndedRun = Omit<RunRow, 'environment' | 'waitingApprovalIds'>;
