import { Injectable } from '@nestjs/common';

import { InvalidInput } from '../../../libs/invalid-input/index.js';
import {
  checkSchema,
  type FileField,
  filledJson,
  fitInputs,
  InlineSchemas,
  inputsTooMuch,
  isSchemaObject,
  type JsonSchema,
  OUTPUT_TOO_MUCH,
  outputProblem,
  schemaErrorDetails,
  type SchemaPath,
  schemaTooMuch,
} from '../../../libs/json-schema/index.js';
import { type ErrorDetail, InvalidRequest, Unavailable } from '../errors/index.js';
import { RawJson, textOf } from '../json/index.js';
import { Threads, ThreadsBusy, WorkTooHeavy } from '../threads/index.js';
import { commandArguments } from './command-arguments.js';
import type * as thread from './schema.thread.js';

/** Compiling and checking have limits of their own within the thread; this is for what they do not stop. */
const LIMIT_MS = 12_000;
/** A text of inputs up to this is parsed to see whether they can be checked at once. */
const MOST_PARSED = 32 * 1024;

/** How long a check may wait for its turn. */
export const PATIENCE = {
  /** Somebody waits for the response. */
  request: { patienceMs: 10_000, mostWaiting: 32 },
  /** A transaction is open meanwhile, and with it a connection. */
  transaction: { patienceMs: 3_000, mostWaiting: 4 },
  /** The same for a batch of runs that nobody asked for. */
  batch: { patienceMs: 3_000, mostWaiting: Infinity },
  /** One such run, or outside of a transaction. */
  order: { patienceMs: 10_000, mostWaiting: Infinity },
  /** A run has ended, and has time. */
  run: { patienceMs: 120_000, mostWaiting: Infinity },
} as const;

/** Nothing is known of what was to be checked: it is to be tried again. */
export class ChecksBusy extends Unavailable {
  constructor() {
    super('Too many checks are waiting. Try again shortly.', 2);
  }
}

export type Patience = (typeof PATIENCE)[keyof typeof PATIENCE];

/** Whose work it is. Owners of workspaces take turns. */
interface OnBehalf {
  workspaceId: string;
  patience?: Patience;
}

interface InputsToCheck extends OnBehalf {
  schema: JsonSchema | null;
  /** null: whether a command can take them is not asked. */
  command: string | null;
  inputs: Record<string, unknown> | RawJson;
}

export interface CheckedInputs {
  /** The inputs with defaults filled in. */
  inputs: RawJson;
  /** The files among them, in the order of the schema's properties. */
  fileFields: FileField[];
}

/**
 * Checks somebody's data against somebody's schema. Where both are so simple that the cost is known to be small, that
 * happens at once; otherwise in a thread, within limits of time, memory and number of errors.
 */
@Injectable()
export class SchemaChecks {
  private readonly inline = new InlineSchemas();

  constructor(private readonly threads: Threads) {}

  /** @throws InvalidRequest whose details name the place inside the schema */
  async schema(schema: unknown, path: SchemaPath, { workspaceId }: OnBehalf): Promise<void> {
    if (!isSchemaObject(schema) || this.inline.mayCheck(schema)) {
      return asRequest(() => checkSchema(schema, path, (own, kind) => this.inline.compile(own, kind)));
    }
    const input = { schema: JSON.stringify(schema), path };
    const result = await this.inThread<thread.Refusal | object>('checkSchemaText', input, workspaceId).catch(
      orInstead(() => schemaTooMuch(path)),
    );
    throwRefusal(result);
  }

  /**
   * Checks the inputs of a run, and that the version's command can take them as arguments.
   *
   * @throws InvalidRequest whose details name the inputs, such as `inputs.city`; ChecksBusy
   */
  async inputs({ schema, command, inputs, workspaceId, patience }: InputsToCheck): Promise<CheckedInputs> {
    const given = inputs instanceof RawJson ? smallValue(inputs) : inputs;
    const check = given && this.inline.checkFor(schema ?? {}, 'input', given);
    if (check) {
      return asRequest(() => {
        const { value, fileFields } = fitInputs(schema, structuredClone(given), () => check);
        if (command !== null) commandArguments(command, value);
        return { inputs: new RawJson(filledJson(value, textOf(inputs).length)), fileFields };
      });
    }
    const input: thread.InputsText = {
      schema: schema && JSON.stringify(schema),
      command,
      inputs: textOf(inputs),
    };
    const result = await this.inThread<ReturnType<typeof thread.checkInputsText>>(
      'checkInputsText',
      input,
      workspaceId,
      patience,
    ).catch(orInstead(inputsTooMuch));
    throwRefusal(result);
    return { inputs: new RawJson(result.json), fileFields: result.fileFields };
  }

  /** A copy of a value with defaults filled in, and what is wrong with it. `root`: where it stands in the request. */
  async value(
    schema: JsonSchema,
    value: Record<string, unknown>,
    root: string,
    { workspaceId, patience }: OnBehalf,
  ): Promise<{ value: Record<string, unknown>; details: ErrorDetail[] }> {
    const check = this.inline.checkFor(schema, 'input', value);
    if (check) {
      const copy = structuredClone(value);
      return { value: copy, details: schemaErrorDetails(check.check(copy), root) };
    }
    const input: thread.ValueText = { schema: JSON.stringify(schema), value: JSON.stringify(value), root };
    const { json, details } = await this.inThread<ReturnType<typeof thread.checkValueText>>(
      'checkValueText',
      input,
      workspaceId,
      patience,
    ).catch(orInstead(() => InvalidInput.at(root, 'takes too long to check; send less')));
    return { value: JSON.parse(json) as Record<string, unknown>, details };
  }

  /** Why an output does not match its schema, in words, or null. */
  async output(schema: JsonSchema | null, output: RawJson, onBehalf: OnBehalf): Promise<string | null> {
    return this.mismatch(schema, output, onBehalf).catch((error: unknown) => {
      if (error instanceof ThreadsBusy) return OUTPUT_TOO_MUCH;
      throw error;
    });
  }

  /**
   * Whether a value matches a condition. One that takes too long to check does: conditions say what is to be asked about.
   *
   * @throws ChecksBusy
   */
  async matches(condition: JsonSchema, value: RawJson, onBehalf: OnBehalf): Promise<boolean> {
    const problem = await this.mismatch(condition, value, onBehalf).catch(orInstead(inputsTooMuch));
    return problem === null || problem === OUTPUT_TOO_MUCH;
  }

  private async mismatch(
    schema: JsonSchema | null,
    output: RawJson,
    { workspaceId, patience = PATIENCE.run }: OnBehalf,
  ): Promise<string | null> {
    if (!schema) return null;
    const small = output.text.length <= MOST_PARSED;
    const value = small ? (JSON.parse(output.text) as unknown) : null;
    const check = small ? this.inline.checkFor(schema, 'output', value) : null;
    if (check) return outputProblem(schema, value, () => check);
    const input: thread.OutputText = { schema: JSON.stringify(schema), output: output.text };
    try {
      return await this.inThread<string | null>('checkOutputText', input, workspaceId, patience);
    } catch (error) {
      if (error instanceof WorkTooHeavy) return OUTPUT_TOO_MUCH;
      throw error;
    }
  }

  private inThread<T>(
    name: keyof typeof thread,
    input: object,
    owner: string,
    patience: Patience = PATIENCE.request,
  ): Promise<T> {
    const texts = Object.values(input) as (string | null)[];
    const bytes = texts.reduce((sum, text) => sum + 2 * (text?.length ?? 0), 1_000);
    const module = new URL('./schema.thread.js', import.meta.url);
    return this.threads.run<T>({ module, name, input, bytes, owner, limitMs: LIMIT_MS, ...patience });
  }
}

/** null: so large that it is left a text. */
function smallValue(json: RawJson): Record<string, unknown> | null {
  const value = json.text.length <= MOST_PARSED ? (JSON.parse(json.text) as unknown) : null;
  return isSchemaObject(value) ? value : null;
}

/** What the libraries refuse, as the error of a request. */
function asRequest<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw error instanceof InvalidInput ? InvalidRequest.of(error) : error;
  }
}

function throwRefusal<T extends object>(result: T): asserts result is Exclude<T, thread.Refusal> {
  if (!('refused' in result)) return;
  const { message, details } = (result as thread.Refusal).refused;
  throw new InvalidRequest(message, details);
}

/** What to throw where a thread has given up, or none was free. */
function orInstead(tooMuch: () => InvalidInput): (error: unknown) => never {
  return (error) => {
    if (error instanceof WorkTooHeavy) throw InvalidRequest.of(tooMuch());
    if (error instanceof ThreadsBusy) throw new ChecksBusy();
    throw error;
  };
}
