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
  runId: string;
}

class RunScriptArguments {
  @IsString()
  script: string;

  /** Checked as the body of the route that starts runs. */
  @IsOptional()
  @OpaqueJson({ mayBeLarge: true })
  inputs?: unknown;

  /** The same. */
  @IsOptional()
  @OpaqueJson()
  retry?: unknown;

  @IsOptional()
  startAt?: unknown;

  @IsOptional()
  expiresAt?: unknown;

  @IsOptional()
  priority?: unknown;

  @IsOptional()
  @OpaqueJson()
  labels?: unknown;
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
  runId: string;
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
        inputs: {
          type: 'object',
          description:
            "What the script's `inputSchema` asks for. A file is the id of an uploaded one, or `{name, text}`.",
          default: {},
        },
        retry: {
          type: ['object', 'null'],
          description:
            'When it is tried again if it does not end well, as `{"attempts": 3, "delay": 10, "on": ["failed"]}`. Without it: as its version says. null: never.',
        },
        startAt: {
          type: 'string',
          format: 'date-time',
          description: 'When it may begin, at most a year from now. It is not waited for then.',
        },
        expiresAt: {
          type: 'string',
          format: 'date-time',
          description: 'When it is cancelled, unless it has begun.',
        },
        priority: {
          type: 'integer',
          minimum: -10,
          maximum: 10,
          default: 0,
          description: 'Of runs that wait for a worker, those of a higher one begin first.',
        },
        labels: {
          type: 'object',
          additionalProperties: { type: 'string' },
          default: {},
          description: 'By which it is found, as `{"customer": "acme"}`.',
        },
      },
      required: ['script'],
      takes: RunScriptArguments,
      rule: START_RUNS,
      effect: 'changes',
      inEnvironment: true,
      startsRun: true,
      run: (caller, { script, ...how }, context) => this.calls.start(caller, script, how, context),
    }),
    fixedTool({
      name: 'get_run',
      title: 'Read a run',
      description: 'Tells how a run stands: its status, inputs, output or error, and its files.',
      properties: { runId: RUN },
      required: ['runId'],
      takes: RunArguments,
      rule: READ_RUNS,
      effect: 'reads',
      followsRun: true,
      run: async (caller, { runId }, context) => {
        const { run } = await this.calls.follow(caller, runId, 0, context);
        const { id: _, ...facts } = run!;
        return { ...jsonResult({ runId, ...facts }, `All of its output: ${outputUri(runId)}`), run };
      },
    }),
    fixedTool({
      name: 'wait_for_run',
      title: 'Wait for a run',
      description:
        'Waits until a run is finished, also while a person has not approved it yet, and gives its output. Call it again where the run goes on.',
      properties: {
        runId: RUN,
        seconds: { type: 'integer', minimum: 1, maximum: 50, default: 30, description: 'How long to wait.' },
      },
      required: ['runId'],
      takes: WaitArguments,
      rule: READ_RUNS,
      effect: 'reads',
      followsRun: true,
      run: (caller, { runId, seconds }, context) => this.calls.follow(caller, runId, seconds * 1000, context),
    }),
    fixedTool({
      name: 'get_run_log',
      title: "Read a run's log",
      description:
        'Gives lines of what a run printed, from the first one on. Numbers of lines jump over those that a long log does not keep.',
      properties: {
        runId: RUN,
        q: {
          type: 'string',
          maxLength: 200,
          description: 'Only lines that contain this text, in upper or lower case.',
        },
        after: {
          type: 'integer',
          minimum: 0,
          default: 0,
          description: 'Skips that many lines. Go on with the `next` of the last answer.',
        },
        limit: { type: 'integer', minimum: 1, maximum: 1000, default: 1000 },
      },
      required: ['runId'],
      takes: RunLogArguments,
      rule: READ_RUNS,
      effect: 'reads',
      followsRun: true,
      run: async (caller, { runId, ...query }) =>
        jsonResult(
          await this.log.read(caller, runId, query),
          `Ask for fewer with \`limit\`, or read ${logUri(runId)}`,
        ),
    }),
    fixedTool({
      name: 'cancel_run',
      title: 'Cancel a run',
      description: 'Cancels a run that is held, waits or executes.',
      properties: { runId: RUN },
      required: ['runId'],
      takes: RunArguments,
      rule: START_RUNS,
      effect: 'ends',
      followsRun: true,
      run: async (caller, { runId }) => {
        const { run, finished } = await this.runs.cancel(caller, runId);
        return jsonResult({ runId, status: run.status, finished }, '');
      },
    }),
  ];

  constructor(
    private readonly calls: RunCallsService,
    private readonly runs: RunsService,
    private readonly log: RunLogService,
  ) {}
}
