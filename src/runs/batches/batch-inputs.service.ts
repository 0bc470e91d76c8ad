import { Injectable } from '@nestjs/common';

import type { WorkspaceCaller } from '../../core/access/index.js';
import { Conflict, type ErrorDetail, InvalidRequest } from '../../core/errors/index.js';
import { isObject, RawJson } from '../../core/json/index.js';
import { SchemaChecks } from '../../core/schema/index.js';
import { inSlices } from '../automated/automated-run.portions.js';
import { holdOfStart, type RunnableVersion } from '../starting/run-creation.service.js';
import { RunStartsService } from '../starting/run-starts.service.js';
import { MOST_OF_A_BATCH } from './run-batch.dto.js';

/** So many wrong places are told. */
const MOST_DETAILS = 100;
/** A schema may be so heavy that each check takes seconds. */
const MOST_MS = 20_000;

type Inputs = Record<string, unknown>;

/** Checks the inputs of a batch, each on its own, and tells what is wrong at its place. */
@Injectable()
export class BatchInputsService {
  constructor(
    private readonly checks: SchemaChecks,
    private readonly starts: RunStartsService,
  ) {}

  /** @throws InvalidRequest naming each place; Conflict where one of the runs would wait for a person */
  async check(
    caller: WorkspaceCaller,
    script: RunnableVersion,
    given: unknown[] | RawJson,
  ): Promise<RawJson[]> {
    const all = listOf(given);
    const details: ErrorDetail[] = [];
    const until = performance.now() + MOST_MS;
    const checked = await inSlices([...all.entries()], async ([index, inputs]) => {
      if (details.length >= MOST_DETAILS) return null;
      if (performance.now() > until) {
        throw InvalidRequest.at('inputs', 'take too long to check; send fewer at once');
      }
      try {
        return await this.checkOne(caller, script, inputs);
      } catch (error) {
        if (!(error instanceof InvalidRequest)) throw error;
        details.push(...placedAt(index, error));
        return null;
      }
    });
    if (details.length > 0) throw InvalidRequest.listing(details.slice(0, MOST_DETAILS));
    return checked.map((inputs) => inputs!);
  }

  private async checkOne(caller: WorkspaceCaller, script: RunnableVersion, inputs: Inputs): Promise<RawJson> {
    const { inputSchema: schema, command } = script;
    const checked = await this.checks.inputs({ schema, command, inputs, workspaceId: caller.workspace.id });
    const [file] = checked.fileFields;
    if (file) throw InvalidRequest.at(`inputs.${file.field}`, 'a batch cannot give files to its runs');
    const asked = await this.starts.askedBy(caller, script, checked.inputs);
    const hold = holdOfStart(caller, script, { asked, test: false });
    if (hold !== null) {
      throw new Conflict(`${hold.reason} A batch is not held: start its runs one by one.`);
    }
    return checked.inputs;
  }
}

function listOf(given: unknown[] | RawJson): Inputs[] {
  // No larger than a body, and read once already: its numbers are exact.
  const list = given instanceof RawJson ? (JSON.parse(given.text) as unknown) : given;
  if (!Array.isArray(list) || list.length === 0 || list.length > MOST_OF_A_BATCH) {
    throw InvalidRequest.at('inputs', `must be an array of 1 to ${MOST_OF_A_BATCH} objects`);
  }
  const wrong = [...list.entries()].filter(([, inputs]) => !isObject(inputs)).slice(0, MOST_DETAILS);
  if (wrong.length > 0) {
    throw InvalidRequest.listing(
      wrong.map(([index]) => ({ path: `inputs.${index}`, message: 'must be an object' })),
    );
  }
  return list as Inputs[];
}

/** What is wrong at `inputs.city` of one run is at `inputs.17.city` of the batch. */
function placedAt(index: number, { message, details }: InvalidRequest): ErrorDetail[] {
  const own = details ?? [{ path: 'inputs', message }];
  return own.map(({ path, message: why }) => ({
    path: `inputs.${index}${path.replace(/^inputs/, '')}`,
    message: why,
  }));
}
