import {
  plannedRequestsList,
  runBatchesStart,
  runLogContent,
  runLogRead,
  runStatisticsRead,
  runsCancel,
  runsMove,
  runsExport,
  runsGet,
  runsList,
  runsRerun,
  runsStart,
  runsTest,
  runsTestTrial,
} from '../generated/sdk.gen.js';
import type {
  HeldRun,
  PlannedRequest,
  PlannedRequestsListData,
  Run,
  RunBatch,
  RunInput,
  RunLog,
  RunLogContentData,
  RunLogReadData,
  RunStatistics,
  RunStatisticsReadData,
  RunsExportData,
  RunsListData,
} from '../generated/types.gen.js';
import { resumedEvents } from '../events/resumed-events.js';
import type { Calls } from '../http/calls.js';
import type { Pages } from '../http/pages.js';
import type { CallOptions } from '../http/settings.js';
import { type RunEvent, runEventOf } from '../runs/run-events.js';

/** The inputs of a run, as the version's `inputSchema` says. A file is given by its id. */
export type RunInputs = NonNullable<RunInput['inputs']>;

export interface StartOptions extends CallOptions {
  /**
   * How long to wait: until the run has ended (`end`), not beyond what a person has to approve or what starts later (`held`), or not at all
   * (`none`: a short script is waited for by the service in any case). @default 'held'
   */
  wait?: 'end' | 'held' | 'none';
  /** Called with what happens while it is waited for. */
  onEvent?: (event: RunEvent) => void;
  /** Called when the run waits for a person, who decides at `approveUrl`. */
  onHeld?: (run: HeldRun) => void;
  /** What the run is recorded as started through. */
  via?: RunInput['via'];
  /** When it is tried again, instead of what its version says; null: never. */
  retry?: RunInput['retry'];
  /** When it may begin, at most a year from now. Until then, only `wait: 'end'` waits for it. */
  startAt?: RunInput['startAt'];
  /** When it is cancelled, unless it has begun. */
  expiresAt?: RunInput['expiresAt'];
  /** -10 to 10: those of a higher one begin first within the workspace. */
  priority?: RunInput['priority'];
  /** By which it is found, besides those that its version makes of its inputs. */
  labels?: RunInput['labels'];
  /** Only plans it: what it would send is listed by `planned`, and not sent. */
  plan?: RunInput['plan'];
}

export interface FollowOptions extends CallOptions {
  /** How many lines of the log to skip. */
  after?: number;
}

/** Scripts at work. */
export class Runs {
  constructor(private readonly calls: Calls) {}

  /**
   * Runs a script's published version, and waits until it has ended, or is held for a person to approve it.
   *
   * @returns the run: its `status` says how it went; a held one has an `approval`
   * @example
   * const run = await gatehouse.runs.start('forecast', { city: 'Berlin' });
   * if (run.status === 'succeeded') console.log(run.output);
   */
  async start(slug: string, inputs: RunInputs = {}, options: StartOptions = {}): Promise<HeldRun> {
    const body = bodyOf(inputs, options);
    return this.awaited(await this.calls.send(runsStart<true>, { path: { slug }, body }, options), options);
  }

  /**
   * Starts a run of the published version for each of up to 1,000 inputs: all or none. Their ends are not waited for.
   *
   * @param options count for all of them
   */
  startMany(
    slug: string,
    inputs: readonly RunInputs[],
    options: Omit<StartOptions, 'wait' | 'onEvent' | 'onHeld' | 'plan'> = {},
  ): Promise<RunBatch> {
    const body = { ...bodyOf({}, options), inputs: [...inputs] };
    return this.calls.send(runBatchesStart<true>, { path: { slug }, body }, options);
  }

  /** Tries out a version that need not be published, and waits like `start`. */
  async test(
    slug: string,
    number: number,
    inputs: RunInputs = {},
    options: StartOptions = {},
  ): Promise<HeldRun> {
    const input = { path: { slug, number }, body: bodyOf(inputs, options) };
    return this.awaited(await this.calls.send(runsTest<true>, input, options), options);
  }

  /** Runs a trial, and waits like `start`; with `wait: 'none'` also a short script begins before this ends. */
  async tryOut(
    slug: string,
    trialId: string,
    inputs: RunInputs = {},
    options: StartOptions = {},
  ): Promise<HeldRun> {
    const input = { path: { slug, trialId }, body: bodyOf(inputs, options) };
    return this.awaited(await this.calls.send(runsTestTrial<true>, input, options), options);
  }

  /** Runs the same version with the same inputs again, and waits like `start`. */
  async rerun(runId: string, options: Omit<StartOptions, keyof RunInput> = {}): Promise<HeldRun> {
    return this.awaited(await this.calls.send(runsRerun<true>, { path: { runId } }, options), options);
  }

  /** Newest first, without inputs and outputs. */
  list(query?: RunsListData['query'], options?: CallOptions): Pages<Run> {
    return this.calls.list(runsList<true>, { query }, options);
  }

  /** How runs ended, by hour or day. */
  statistics(query?: RunStatisticsReadData['query'], options?: CallOptions): Promise<RunStatistics> {
    return this.calls.send(runStatisticsRead<true>, { query }, options);
  }

  /** The newest 100,000 that fit, as lines of JSON or as CSV: `response.body` as a stream. */
  export(query?: RunsExportData['query'], options?: CallOptions): Promise<Response> {
    return this.calls.open(runsExport<true>, { query }, options);
  }

  /** What a plan would have sent, in order. */
  planned(
    runId: string,
    query?: PlannedRequestsListData['query'],
    options?: CallOptions,
  ): Pages<PlannedRequest> {
    return this.calls.list(plannedRequestsList<true>, { path: { runId }, query }, options);
  }

  get(runId: string, options?: CallOptions): Promise<Run> {
    return this.calls.send(runsGet<true>, { path: { runId } }, options);
  }

  /** Moves a run that is delayed to another time: a timestamp, or a time from now such as `2h`; `0s` starts it. */
  move(runId: string, startAt: string, options?: CallOptions): Promise<Run> {
    return this.calls.send(runsMove<true>, { path: { runId }, body: { startAt } }, options);
  }

  /** Cancels a run. One that executes is `cancelled` a little later, once its processes are gone: `wait` waits for that. */
  cancel(runId: string, options?: CallOptions): Promise<Run> {
    return this.calls.send(runsCancel<true>, { path: { runId } }, options);
  }

  /** The log so far, from the line `after` on. */
  log(runId: string, query?: RunLogReadData['query'], options?: CallOptions): Promise<RunLog> {
    return this.calls.send(runLogRead<true>, { path: { runId }, query }, options);
  }

  /** The whole log as text, also the lines that `log` leaves out: `await response.text()`, or `response.body` as a stream. */
  wholeLog(runId: string, query?: RunLogContentData['query'], options?: CallOptions): Promise<Response> {
    return this.calls.open(runLogContent<true>, { path: { runId }, query }, options);
  }

  /**
   * What happens in a run, from its beginning until it ends: the lines of its log, its progress, and the finished run
   * last. A connection that breaks is opened again where it was.
   */
  async *follow(runId: string, options: FollowOptions = {}): AsyncGenerator<RunEvent, void, void> {
    const open = (headers: Record<string, string>) =>
      this.calls.request(
        { method: 'GET', url: '/v1/runs/{runId}/log/stream', path: { runId }, headers },
        options,
      );
    const lastEventId = options.after === undefined ? undefined : String(options.after);
    for await (const sent of resumedEvents(open, { lastEventId, signal: options.signal })) {
      const event = runEventOf(sent);
      if (event === 'end') return yield { type: 'end', run: await this.get(runId, options) };
      if (event) yield event;
    }
  }

  /** Waits until a run has ended, also one that is held first. */
  async wait(runId: string, options: FollowOptions & Pick<StartOptions, 'onEvent'> = {}): Promise<Run> {
    let finished: Run | undefined;
    for await (const event of this.follow(runId, options)) {
      options.onEvent?.(event);
      if (event.type === 'end') finished = event.run;
    }
    return finished!;
  }

  private async awaited(run: HeldRun, options: StartOptions): Promise<HeldRun> {
    const { wait = 'held', onEvent, onHeld } = options;
    const isHeld = run.status === 'awaiting_approval';
    if (isHeld) onHeld?.(run);
    const isLater = isHeld || run.phase === 'delayed';
    if (wait === 'none' || (isLater && wait === 'held')) return run;
    if (run.phase === 'finished' && !onEvent) return run;
    // The key was of the start alone.
    const { idempotencyKey: _, ...following } = options;
    return { ...(await this.wait(run.id, following)), approval: run.approval };
  }
}

const HOW = ['via', 'retry', 'startAt', 'expiresAt', 'priority', 'labels', 'plan'] as const;

function bodyOf(inputs: RunInputs, options: StartOptions): RunInput {
  const given = HOW.filter((name) => options[name] !== undefined);
  return { inputs, ...Object.fromEntries(given.map((name) => [name, options[name]])) };
}
