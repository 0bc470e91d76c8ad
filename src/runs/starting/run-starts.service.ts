import { Injectable } from '@nestjs/common';

import type { WorkspaceCaller } from '../../core/access/index.js';
import { newId } from '../../core/crypto/index.js';
import { DiskRoom } from '../../core/disk/index.js';
import { Conflict, Forbidden, NotFound } from '../../core/errors/index.js';
import { RawJson } from '../../core/json/index.js';
import { SchemaChecks } from '../../core/schema/index.js';
import { RunFilesService } from '../../files/index.js';
import { ScriptCatalogService } from '../../scripts/index.js';
import type { RunInput } from '../run.dto.js';
import { RunsRepository } from '../runs.repository.js';
import { RunsService } from '../runs.service.js';
import { RunCreationService, type RunnableVersion } from './run-creation.service.js';
import { RunOutcomesService, type RunWait, type StartedRun } from './run-outcomes.service.js';

interface RunTarget {
  slug: string;
  /** null: the published one. */
  version: number | null;
  test: boolean;
  /** The run whose inputs are taken once more, files included. */
  again?: string;
}

/** Starts runs that callers ask for, if they may. */
@Injectable()
export class RunStartsService {
  constructor(
    private readonly runs: RunsService,
    private readonly repository: RunsRepository,
    private readonly catalog: ScriptCatalogService,
    private readonly checks: SchemaChecks,
    private readonly files: RunFilesService,
    private readonly creation: RunCreationService,
    private readonly outcomes: RunOutcomesService,
    private readonly disk: DiskRoom,
  ) {}

  start(caller: WorkspaceCaller, slug: string, input: RunInput, wait?: RunWait): Promise<StartedRun> {
    return this.startVersion(caller, { slug, version: null, test: false }, input, wait);
  }

  /** Tries out a version, whether it is published or not. */
  test(caller: WorkspaceCaller, slug: string, version: number, input: RunInput): Promise<StartedRun> {
    return this.startVersion(caller, { slug, version, test: true }, input);
  }

  /** The same version with the same inputs; whether it may run is judged anew. */
  async rerun(caller: WorkspaceCaller, id: string): Promise<StartedRun> {
    await this.runs.visible(caller, id);
    const origin = await this.repository.origin(id);
    if (!origin) throw new NotFound('run');
    const { scriptSlug: slug, version, inputs, test } = origin;
    return this.startVersion(caller, { slug, version, test, again: id }, { inputs: new RawJson(inputs) });
  }

  private async startVersion(
    caller: WorkspaceCaller,
    target: RunTarget,
    { inputs = {}, via }: RunInput,
    wait?: RunWait,
  ): Promise<StartedRun> {
    this.disk.assertEnough();
    const script = await this.runnable(caller, target);
    const { inputSchema: schema, command, timeoutSeconds } = script;
    const checked = await this.checks.inputs({ schema, command, inputs, workspaceId: caller.workspace.id });
    const fileFields =
      target.again === undefined
        ? checked.fileFields
        : await this.files.ownRecords(target.again, checked.fileFields);
    const id = newId('run');
    const wanted = { id, inputs: checked.inputs, fileFields, test: target.test, via };
    const watch = this.outcomes.watch(id, wait);
    try {
      const { held } = await this.creation.create(caller, script, wanted);
      return await this.outcomes.ofStarted(caller, { id, held, timeoutSeconds }, watch, wait);
    } finally {
      watch.close();
    }
  }

  /** The script and version, if this caller may run it here at all. */
  private async runnable(
    caller: WorkspaceCaller,
    { slug, version, test }: RunTarget,
  ): Promise<RunnableVersion> {
    const script = await this.catalog.findRunnable({
      workspaceId: caller.workspace.id,
      slug,
      version,
      role: caller.role,
      userId: caller.person?.id ?? null,
    });
    if (!script) throw new NotFound('script');
    if (script.status === 'archived') {
      throw new Conflict(`The script ${slug} is archived. Restore it to run it.`);
    }
    if (!test && script.status === 'draft') {
      throw new Conflict(
        `The script ${slug} has no published version. Publish one, or test a version of it.`,
      );
    }
    if (script.versionId === null) throw new NotFound('version');
    if (caller.kind === 'agent' && !caller.environment.agentsAllowed) {
      throw new Forbidden(`Agents may not run scripts in the environment ${caller.environment.name}.`);
    }
    return script;
  }
}
