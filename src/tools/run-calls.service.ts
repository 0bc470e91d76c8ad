import { Injectable } from '@nestjs/common';

import { refusalInWorkspace, type WorkspaceCaller } from '../core/access/index.js';
import { StrictValidationPipe } from '../core/http/index.js';
import {
  READ_RUNS,
  RunInput,
  RunLogService,
  RunOutcomesService,
  RunStartsService,
  type RunWait,
  START_RUNS,
  type StartedRun,
} from '../runs/index.js';
import { runResult } from './run-result.js';
import { TextFilesService } from './text-files.service.js';
import type { ToolCallContext, ToolResult } from './tool.js';

/** With somebody who is told of its progress, a long run is waited for so long: clients give up after a minute. */
const LONG_PATIENCE_MS = 50_000;
/** Without, at least so long: most long time-outs are never needed. */
const SHORT_PATIENCE_MS = 5_000;
const LAST_LINES = 20;

/** Starts and follows runs for tools. */
@Injectable()
export class RunCallsService {
  private readonly validation = new StrictValidationPipe();

  constructor(
    private readonly starts: RunStartsService,
    private readonly outcomes: RunOutcomesService,
    private readonly log: RunLogService,
    private readonly textFiles: TextFilesService,
  ) {}

  /** @throws ProblemError as `POST /v1/scripts/{slug}/runs` */
  async start(
    caller: WorkspaceCaller,
    slug: string,
    { inputs, ...how }: { [field in keyof RunInput]?: unknown },
    context: ToolCallContext,
  ): Promise<ToolResult> {
    const refusal = refusalInWorkspace(START_RUNS, caller);
    if (refusal) throw refusal;
    const body = {
      inputs: await this.textFiles.stored(caller, slug, inputs ?? {}),
      ...how,
    };
    const input = (await this.validation.transform(body, { type: 'body', metatype: RunInput })) as RunInput;
    const tellable = context.onProgress !== undefined && !context.followsByItself;
    const patienceMs = tellable ? LONG_PATIENCE_MS : context.followsByItself ? 0 : SHORT_PATIENCE_MS;
    const wait = { ...waitOf(context), patienceMs };
    return this.result(caller, await this.starts.start(caller, slug, input, wait));
  }

  /**
   * Waits for a run that the caller has been found to be allowed to follow.
   *
   * @throws NotFound where there is none that the caller may see
   */
  async follow(
    caller: WorkspaceCaller,
    id: string,
    patienceMs: number,
    context: ToolCallContext,
  ): Promise<ToolResult> {
    return this.result(caller, await this.outcomes.follow(caller, id, { ...waitOf(context), patienceMs }));
  }

  private async result(caller: WorkspaceCaller, { run }: StartedRun): Promise<ToolResult> {
    const mayReadLog = refusalInWorkspace(READ_RUNS, caller) === null;
    const failed = run.status === 'failed' && run.logLines > 0;
    const after = Math.max(0, run.logLines - LAST_LINES);
    const log =
      failed && mayReadLog
        ? await this.log.read(caller, run.id, { after, limit: LAST_LINES })
        : { lines: [] };
    return runResult(run, log.lines);
  }
}

function waitOf({ signal, onProgress, onRun }: ToolCallContext): RunWait {
  let reported = '';
  return {
    signal,
    ...(onRun && { onStart: onRun }),
    ...(onProgress && {
      onChange: ({ progress, progressMessage }) => {
        const now = JSON.stringify([progress, progressMessage]);
        if (progress === null || now === reported) return;
        reported = now;
        onProgress(progress, progressMessage);
      },
    }),
  };
}
