import { Injectable } from '@nestjs/common';

import { RawJson } from '../../core/json/index.js';
import { Threads, ThreadsBusy, WorkTooHeavy } from '../../core/threads/index.js';
import { PATIENCE, SchemaChecks } from '../../core/schema/index.js';
import { type ParsedOutput, parseOutput } from './parse-output.js';

/** Outputs with more bytes are read in a thread. */
const MOST_AT_ONCE = 64 * 1024;
const LIMIT_MS = 10_000;

/** Reads what runs have written and checks it against their schemas. Large outputs are read in a thread. */
@Injectable()
export class RunOutputReader {
  constructor(
    private readonly threads: Threads,
    private readonly checks: SchemaChecks,
  ) {}

  async parse(stdout: Buffer, { workspaceId: owner }: { workspaceId: string }): Promise<ParsedOutput> {
    if (stdout.length <= MOST_AT_ONCE) return parseOutput(stdout);
    try {
      return await this.threads.run<ParsedOutput>({
        module: new URL('./output.thread.js', import.meta.url),
        name: 'parseOutputBytes',
        input: stdout,
        bytes: stdout.length,
        owner,
        limitMs: LIMIT_MS,
        ...PATIENCE.run,
      });
    } catch (error) {
      if (!(error instanceof WorkTooHeavy || error instanceof ThreadsBusy)) throw error;
      return { kind: 'failure', error: 'the output takes too long to read: write less to standard output' };
    }
  }

  /** Why an output does not match the version's schema, in words. null: it does. */
  problem(
    json: string,
    { outputSchema, workspaceId }: { outputSchema: Record<string, unknown> | null; workspaceId: string },
  ): Promise<string | null> {
    return this.checks.output(outputSchema, new RawJson(json), { workspaceId });
  }
}
