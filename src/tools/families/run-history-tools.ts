import { Injectable } from '@nestjs/common';
import { IsString } from 'class-validator';

import { ErrorListQuery, ErrorsService, READ_ERRORS } from '../../failures/index.js';
import {
  READ_RUNS,
  READ_STATISTICS,
  RunListQuery,
  RunsService,
  RunStatisticsQuery,
  RunStatisticsService,
} from '../../runs/index.js';
import { type FixedTool, fixedTool } from '../fixed-tool.js';
import { jsonResult } from '../tool-results.js';
import { PAGE } from './page-arguments.js';

const SCRIPT = { type: 'string', description: 'Only of the script with this slug.' };
const ENVIRONMENT = { type: 'string', description: 'Only in the environment of this name.' };
const MOMENT = { type: 'string', format: 'date-time' };

class ErrorArguments {
  @IsString()
  error: string;
}

/** Finding runs, and seeing how they fare. What people say of an error is for people. */
@Injectable()
export class RunHistoryTools {
  readonly tools: readonly FixedTool[] = [
    fixedTool({
      name: 'list_runs',
      title: 'Find runs',
      description:
        'Lists the runs that you may see, newest first, such as those of a batch or those that failed with an error. `get_run` tells more of one.',
      properties: {
        script: SCRIPT,
        status: {
          type: 'string',
          description: 'awaiting_approval, running, succeeded, failed or cancelled; several by commas.',
        },
        q: {
          type: 'string',
          maxLength: 200,
          description: 'Words in labels, error, small inputs and outputs; or the beginnings of such.',
        },
        label: {
          type: 'array',
          items: { type: 'string' },
          description: 'With all of these labels, each its name or `name=value`.',
        },
        causedBy: {
          type: 'string',
          description: 'The id of the batch, run, schedule or trigger that caused them.',
        },
        errorId: { type: 'string', description: 'That failed with this error of `list_errors`.' },
        plan: {
          type: 'string',
          enum: ['true', 'false'],
          description: '`true`: only plans. `false`: none of them.',
        },
        environment: ENVIRONMENT,
        since: { ...MOMENT, description: 'Asked for from then on.' },
        until: { ...MOMENT, description: 'Asked for before.' },
        ...PAGE,
      },
      takes: RunListQuery,
      rule: READ_RUNS,
      effect: 'reads',
      run: async (caller, query) => {
        const { items, nextCursor } = await this.runs.list(caller, query);
        const shown = items.map(({ id: runId, script, ...run }) => {
          const {
            version,
            status,
            phase,
            plan,
            waitingApprovalIds,
            environment,
            error,
            labels,
            startedAt,
            finishedAt,
            durationMs,
          } = run;
          const facts = {
            version,
            status,
            phase,
            plan,
            waitingApprovalIds,
            environment,
            error,
            labels,
            startedAt,
            finishedAt,
            durationMs,
          };
          return { runId, script: script.slug, ...facts };
        });
        return jsonResult({ items: shown, nextCursor }, 'Ask for fewer with `limit`.');
      },
    }),
    fixedTool({
      name: 'get_run_statistics',
      title: 'See how runs fare',
      description:
        'Tells how many runs ended well and badly by day or hour, and which seconds half and 95 % of them took and waited at most. Test runs are not counted.',
      properties: {
        by: { type: 'string', enum: ['day', 'hour'], default: 'day' },
        since: { ...MOMENT, description: 'Left out: 30 days before `until`, or two by hour.' },
        until: { ...MOMENT, description: 'Left out: now.' },
        script: SCRIPT,
        version: { type: 'integer', minimum: 1, description: 'Only of this version of the script.' },
        environment: ENVIRONMENT,
      },
      takes: RunStatisticsQuery,
      rule: READ_STATISTICS,
      effect: 'reads',
      run: async (caller, query) =>
        jsonResult(await this.statistics.read(caller, query), 'Ask by day, or for a shorter time.'),
    }),
    fixedTool({
      name: 'list_errors',
      title: 'List what scripts fail of',
      description:
        'Lists errors, those first that were seen last. Runs that failed in the same way are one error. Its runs: `list_runs` with its id as `errorId`.',
      properties: {
        script: SCRIPT,
        status: { type: 'string', enum: ['open', 'resolved', 'ignored'] },
        environment: ENVIRONMENT,
        ...PAGE,
      },
      takes: ErrorListQuery,
      rule: READ_ERRORS,
      effect: 'reads',
      run: async (caller, query) =>
        jsonResult(
          await this.errors.list(caller, query),
          'Ask for fewer with `limit`, or for one by `get_error`.',
        ),
    }),
    fixedTool({
      name: 'get_error',
      title: 'Read an error',
      description: 'Tells of one error: its sample, where it is thrown, how often and since when.',
      properties: { error: { type: 'string', description: "The error's id." } },
      required: ['error'],
      takes: ErrorArguments,
      rule: READ_ERRORS,
      effect: 'reads',
      run: async (caller, { error }) =>
        jsonResult(await this.errors.get(caller, error), 'The rest is in the app.'),
    }),
  ];

  constructor(
    private readonly runs: RunsService,
    private readonly statistics: RunStatisticsService,
    private readonly errors: ErrorsService,
  ) {}
}
