import { Injectable } from '@nestjs/common';
import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';

import { OpaqueJson, PageQuery, StrictValidationPipe } from '../../core/http/index.js';
import {
  PlannedRequestsService,
  READ_RUNS,
  RunBatchesService,
  RunBatchInput,
  RunLogQuery,
  RunLogService,
  RunsService,
  START_RUNS,
} from '../../runs/index.js';
import { type FixedTool, fixedTool } from '../fixed-tool.js';
import { RunCallsService } from '../run-calls.service.js';
import { PAGE } from './page-arguments.js';
import { logUri, outputUri } from '../resource-uri.js';
import { jsonResult } from '../tool-results.js';

const SLUG = { type: 'string', description: "The script's slug." };
/** What a start may say besides its inputs. */
const HOW = {
  retry: {
    type: ['object', 'null'],
    description:
      'When it is tried again if it does not end well, as `{"attempts": 3, "delay": 10, "on": ["failed"]}`. Without it: as its version says. null: never.',
  },
  startAt: {
    type: 'string',
    description:
      'When it may begin, at most a year from now: a timestamp, or a time from now such as `2h`. It is not waited for then.',
  },
  expiresAt: {
    type: 'string',
    description: 'When it is cancelled, unless it has begun: a timestamp, or a time from now such as `26h`.',
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
};
const PLAN = {
  type: 'boolean',
  default: false,
  description:
    'Only plans it: what it reads passes, and what it would send is refused. `list_planned_requests` lists that.',
};
/** So many ids are of use to a model; `list_runs` has the others. */
const SHOWN_RUNS = 100;
const RUN = { type: 'string', description: "The run's id." };

const VALIDATION = new StrictValidationPipe();

class RunArguments {
  @IsString()
  runId: string;
}

/** But for the slug, they are checked as the body of the route that starts runs. */
class StartArguments {
  @IsString()
  script: string;

  @IsOptional()
  @OpaqueJson({ mayBeLarge: true })
  inputs?: unknown;

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

class RunScriptArguments extends StartArguments {
  @IsOptional()
  plan?: unknown;
}

class PlannedArguments extends PageQuery {
  @IsString()
  runId: string;
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
        script: SLUG,
        inputs: {
          type: 'object',
          description:
            "What the script's `inputSchema` asks for. A file is the id of an uploaded one, or `{name, text}`.",
          default: {},
        },
        ...HOW,
        plan: PLAN,
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
      name: 'run_batch',
      title: 'Run a script many times',
      description:
        'Starts a run of the published version of a script for each of up to 1,000 inputs, all or none, and waits for none. Where a person would have to approve one, none is started. `list_runs` with the `batchId` as `causedBy` tells how they stand.',
      properties: {
        script: SLUG,
        inputs: {
          type: 'array',
          items: { type: 'object' },
          minItems: 1,
          maxItems: 1000,
          description: "Of each run what the script's `inputSchema` asks for, without files.",
        },
        ...HOW,
      },
      required: ['script', 'inputs'],
      takes: StartArguments,
      rule: START_RUNS,
      effect: 'changes',
      inEnvironment: true,
      run: async (caller, { script, ...body }) => {
        const given = { type: 'body', metatype: RunBatchInput } as const;
        const input = (await VALIDATION.transform(withoutUnset(body), given)) as RunBatchInput;
        const { id: batchId, runs } = await this.batches.start(caller, script, input);
        return jsonResult({ batchId, count: runs.length, runs: runs.slice(0, SHOWN_RUNS) }, '');
      },
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
      name: 'list_planned_requests',
      title: 'List what a plan would have sent',
      description:
        'Lists the requests that a run with `plan` would have sent, in order, with their headers and bodies.',
      properties: { runId: RUN, ...PAGE },
      required: ['runId'],
      takes: PlannedArguments,
      rule: READ_RUNS,
      effect: 'reads',
      run: async (caller, { runId, ...page }) =>
        jsonResult(await this.planned.list(caller, runId, page), 'Ask for fewer with `limit`.'),
    }),
    fixedTool({
      name: 'get_run_log',
      title: "Read a run's log",
      description:
        'Gives lines of what a run printed, from the first one on. Numbers of lines jump over those in the middle of a long log: `q` finds them, too. With `more`, ask again with `next`.',
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
    private readonly batches: RunBatchesService,
    private readonly planned: PlannedRequestsService,
  ) {}
}

/** An argument that was left out is a field of its class all the same. */
function withoutUnset(args: object): object {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
}
