import { type ServerEvent, serverEvents } from '../../api/server-events.js';
import { ShownLines } from './shown-lines.js';

export interface RunProgress {
  /** From 0 to 1. */
  progress: number | null;
  message: string | null;
}

export interface RunLogState {
  /** One list while lines are added at its end. */
  lines: readonly string[];
  /** Of each of these lines, counted from 1. */
  numbers: readonly number[];
  /** When each of these was printed, in milliseconds; null where that is not known. */
  times: readonly (number | null)[];
  /** How many lines there are: what tells that the list has changed. */
  count: number;
  progress: RunProgress | null;
  phase: string | null;
  end: { status: string; error: string | null } | null;
  /** Nothing has been heard yet. */
  isOpening: boolean;
  problem: unknown;
}

/** The log of one run as it comes in. Kept outside of React: thousands of lines arrive between two frames. */
export class RunLog {
  private readonly shown = new ShownLines();
  private state: RunLogState = {
    lines: this.shown.texts,
    numbers: this.shown.numbers,
    times: this.shown.times,
    count: 0,
    progress: null,
    phase: null,
    end: null,
    isOpening: true,
    problem: null,
  };
  private readonly listeners = new Set<() => void>();
  private frame = 0;
  private pending: Partial<RunLogState> | null = null;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly snapshot = (): RunLogState => this.state;

  /** Goes on where it stopped, until the run has ended or the signal is aborted. */
  async follow(runId: string, signal: AbortSignal): Promise<void> {
    if (this.state.end) return;
    try {
      const events = serverEvents(`/v1/runs/${runId}/log/stream?batch=true`, {
        signal,
        lastEventId: String(this.shown.last),
        onConnection: (open) => open && this.change({ isOpening: false }),
      });
      for await (const sent of events) {
        if (signal.aborted) return;
        const { event, data } = inBatches(sent);
        this.apply(event, data as Record<string, unknown>);
        if (event === 'end') return;
      }
    } catch (problem) {
      if (!signal.aborted) this.change({ problem, isOpening: false });
    }
  }

  private apply(event: string, data: Record<string, unknown>): void {
    if (event === 'lines') {
      const { first, lines, at } = data as unknown as { first: number; lines: string[]; at: string | null };
      const time = at === null ? null : Date.parse(at);
      lines.forEach((line, place) => this.shown.add(first + place + 1, line, time));
      const { texts, numbers, times } = this.shown;
      this.change({ lines: texts, numbers, times, count: texts.length });
    } else if (event === 'progress') {
      const { progress, message } = data as unknown as RunProgress;
      this.change({ progress: { progress, message } });
    } else if (event === 'phase') {
      this.change({ phase: String(data['phase']) });
    } else if (event === 'end') {
      this.change({ end: data as unknown as RunLogState['end'] });
    }
  }

  /** However much comes in, the page is told once in a frame. */
  private change(fields: Partial<RunLogState>): void {
    this.pending = { ...this.pending, ...fields };
    this.frame ||= requestAnimationFrame(() => {
      this.state = { ...this.state, ...this.pending };
      this.pending = null;
      this.frame = 0;
      for (const listener of this.listeners) listener();
    });
  }
}

/** A service of before `batch` sends each line by itself, without its time. */
function inBatches(sent: ServerEvent): ServerEvent {
  if (sent.event !== 'log') return sent;
  const { line } = sent.data as { line: string };
  return { ...sent, event: 'lines', data: { first: Number(sent.id) - 1, lines: [line], at: null } };
}
