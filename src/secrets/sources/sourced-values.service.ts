import { Injectable, Logger } from '@nestjs/common';

import { valuesOfSecret } from '../../../libs/egress/index.js';
import { failureOf, wordsOf } from '../../core/extension-calls/index.js';
import { inTime } from '../../core/time-limit/index.js';
import { maskerFor } from '../masker.js';
import type { SecretKind } from '../secret-kind.js';
import { kindProblem, valueProblem } from '../secret.rules.js';
import type { SourcedSecret } from './secret-source.js';
import { SecretSources } from './secret-sources.js';

const LONGEST_MS = 10_000;

/** A value that cannot be read. Its message is shown with the run. */
export class SourceFailed extends Error {}

/** A secret that a run needs, and where its value is. */
export interface Sourced extends SourcedSecret {
  source: string;
  kind: SecretKind;
}

/** Reads values from elsewhere, all at once and none for longer than it may take. */
@Injectable()
export class SourcedValuesService {
  private readonly logger = new Logger('Secrets');

  constructor(private readonly sources: SecretSources) {}

  /**
   * The values by their secrets' names.
   *
   * @param known values that the run has besides: what a source says of a failure must not hold them
   * @throws SourceFailed with the words of the first that failed
   */
  async read(secrets: readonly Sourced[], known: readonly string[]): Promise<Map<string, string>> {
    const results = await Promise.allSettled(secrets.map((secret) => this.readOne(secret)));
    const values = new Map<string, string>();
    results.forEach((result, index) => {
      if (result.status === 'fulfilled') values.set(secrets[index]!.name, result.value);
    });
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw masked(failed.reason, [...known, ...values.values()]);
    return values;
  }

  private async readOne(secret: Sourced): Promise<string> {
    const { source: name, kind, reference, workspace, environment } = secret;
    const subject = `the secret ${secret.name} cannot be read from ${name}`;
    const source = this.sources.find(name);
    if (!source) throw new SourceFailed(`${subject}, which this Gatehouse does not have`);
    const asked: SourcedSecret = { name: secret.name, reference, workspace, environment };
    const value: unknown = await inTime({ ms: LONGEST_MS }, (signal) => source.read(asked, { signal })).catch(
      (error: unknown) => {
        this.logger.warn(`The source ${name} could not give ${secret.name}: ${failureOf(error)}`);
        throw new SourceFailed(
          `${subject}: ${wordsOf(error) ?? 'it failed, and the service has logged where'}`,
        );
      },
    );
    const problem = problemOf(value, kind);
    if (problem !== null) throw new SourceFailed(`${subject}: its value there ${problem}`);
    return value as string;
  }
}

function problemOf(value: unknown, kind: SecretKind): string | null {
  if (typeof value !== 'string') return 'is no text';
  if (value.includes('\0')) return 'has a NUL character';
  return valueProblem(value) ?? kindProblem(kind, value);
}

/** Values that are too many to search for are in no words at all. */
function masked(error: unknown, values: readonly string[]): unknown {
  if (!(error instanceof SourceFailed)) return error;
  try {
    const texts = values.flatMap((value) => valuesOfSecret({ value }));
    return new SourceFailed(maskerFor(texts).maskLine(error.message));
  } catch {
    return new SourceFailed('a secret cannot be read from its source');
  }
}
