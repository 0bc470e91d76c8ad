import { Injectable } from '@nestjs/common';
import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';

import { OpaqueJson } from '../../core/http/index.js';
import { READ_RUNS, RunLogQuery, RunLogService, RunsService, START_RUNS } from '../../runs/index.js';
import { type FixedTool, fixedTool } from '../fixed-tool.js';
import { RunCallsService } from '../run-calls.service.js';
import { logUri, outputUri } from '../resource-uri.js';
import { jsonResult } from '../tool-results.js';

const RUN = { type: 'string', description: "The run's id." };

class RunArguments {
  @IsString()
  run: string;
}

class RunScriptArguments {
  @IsString()
  script: string;

  /** Checked as the body of the route that starts runs. */
  @IsOptional()
  @OpaqueJson({ mayBeLarge: true })
  inputs?: unknown;
}

class WaitArguments extends RunArguments {
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(50)
  seconds: number = 30;
}

class RunLogArguments extends RunLogQuery {
  @IsString()
  run: string;
}

/** Starting runs, and following them. */
@Injectable()
export class RunTools {
  readonly tools: readonly FixedTool[] = [
    fixedTool({
      name: 'run_script',
      title: 'Run a script',
      description:
        'Starts a run of the published version of a script and waits for a short one to finish. A run that a person has to approve first is not waited for: the result says what to do.',
      properties: {
        script: { type: 'string', description: "The script's slug." },
        inputs: { type: 'object', description: "What the script's `inputSchema` asks for.", default: {} },
      },
      required: ['script'],
      takes: RunScriptArguments,
      rule: START_RUNS,
      effect: 'changes',
      inEnvironment: true,
      startsRun: true,
      run: (caller, { script, inputs }, context) => this.calls.start(caller, script, inputs, context),
    }),
    fixedTool({
      name: 'get_run',
      title: 'Read a run',
      description: 'Tells how a run stands: its status, inputs, output or error, and its files.',
      properties: { run: RUN },
      required: ['run'],
      takes: RunArguments,
      rule: READ_RUNS,
      effect: 'reads',
      followsRun: true,
      run: async (caller, { run: id }, context) => {
        const { run } = await this.calls.follow(caller, id, 0, context);
        return { ...jsonResult(run!, `All of its output: ${outputUri(id)}`), run };
      },
    }),
    fixedTool({
      name: 'wait_for_run',
      title: 'Wait for a run',
      description:
        'Waits until a run is finished, also while a person has not approved it yet, and gives its output. Call it again where the run goes on.',
      properties: {
        run: RUN,
        seconds: { type: 'integer', minimum: 1, maximum: 50, default: 30, description: 'How long to wait.' },
      },
      required: ['run'],
      takes: WaitArguments,
      rule: READ_RUNS,
      effect: 'reads',
      followsRun: true,
      run: (caller, { run, seconds }, context) => this.calls.follow(caller, run, seconds * 1000, context),
    }),
    fixedTool({
      name: 'get_run_log',
      title: "Read a run's log",
      description:
        'Gives lines of what a run printed, from the first one on. Numbers of lines jump over those that a long log does not keep.',
      properties: {
        run: RUN,
        after: {
          type: 'integer',
          minimum: 0,
          default: 0,
          description: 'Skips that many lines. Go on with the `next` of the last answer.',
        },
        limit: { type: 'integer', minimum: 1, maximum: 1000, default: 1000 },
      },
      required: ['run'],
      takes: RunLogArguments,
      rule: READ_RUNS,
      effect: 'reads',
      followsRun: true,
      run: async (caller, { run, after, limit }) =>
        jsonResult(
          await this.log.read(caller, run, { after, limit }),
          `Ask for fewer with \`limit\`, or read ${logUri(run)}`,
        ),
    }),
    fixedTool({
      name: 'cancel_run',
      title: 'Cancel a run',
      description: 'Cancels a run that is held, waits or executes.',
      properties: { run: RUN },
      required: ['run'],
      takes: RunArguments,
      rule: START_RUNS,
      effect: 'ends',
      followsRun: true,
      run: async (caller, { run }) => {
        const { run: cancelled, finished } = await this.runs.cancel(caller, run);
        const { id, status } = cancelled;
        return jsonResult({ runId: id, status, finished }, '');
      },
    }),
  ];

  constructor(
    private readonly calls: RunCallsService,
    private readonly runs: RunsService,
    private readonly log: RunLogService,
  ) {}
}
