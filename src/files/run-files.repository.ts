import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import type { WorkspaceCaller } from '../core/access/index.js';
import { Database } from '../core/database/index.js';
import { PlanLimits } from '../usage/index.js';
import { viewerOf, viewerParameters } from './file-visibility.js';
import type { FileRow } from './files.sql.js';
import {
  type ClaimableFile,
  FILES_OF_RUNS,
  FIND_CLAIMABLE,
  INSERT_COPIES,
  INSERT_OUTPUTS,
  TAKE_OVER,
} from './run-files.sql.js';
import { StoredFile } from './stored-file.entity.js';

/** A place of a run's inputs that takes a file. */
interface InputPlace {
  field: string;
  /** Among all files of the run's inputs, in the order in which they were given. */
  position: number;
}

/** A file that a run was given, and the input that it was given as. */
export type InputFile = Pick<StoredFile, 'id' | 'name' | 'blobKey' | 'size'> & Pick<InputPlace, 'field'>;

/** What is needed to record a file that a run wrote; its bytes are stored already. */
export type NewOutputFile = Pick<
  StoredFile,
  'id' | 'workspaceId' | 'environmentId' | 'name' | 'type' | 'size' | 'sha256' | 'blobKey'
> & { runId: string };

/** A copy of a file's record for a run, over the same bytes. */
type Copy = InputPlace & { id: string; sourceId: string; name: string };

@Injectable()
export class RunFilesRepository {
  constructor(
    @InjectRepository(StoredFile) private readonly files: Repository<StoredFile>,
    private readonly database: Database,
    private readonly plans: PlanLimits,
  ) {}

  /** Those of the files that the caller may use in its environment. They cannot go until the transaction ends. */
  claimable(ids: string[], caller: WorkspaceCaller): Promise<ClaimableFile[]> {
    const parameters = [...viewerParameters(caller), ids, caller.environment.id];
    return this.database.query<ClaimableFile>(FIND_CLAIMABLE[viewerOf(caller)], parameters);
  }

  /** Gives unused uploads to a run. Returns the ids of those that it got: a file has one run only. */
  async takeOver(runId: string, uses: (InputPlace & { id: string })[]): Promise<Set<string>> {
    const rows = await this.database.query<Pick<StoredFile, 'id'>>(
      ...TAKE_OVER({
        runId,
        ids: uses.map(({ id }) => id),
        fields: uses.map(({ field }) => field),
        positions: uses.map(({ position }) => position),
        daysByPlan: this.daysByPlan,
      }),
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Records of a run's own over the bytes of other files. */
  async insertCopies(runId: string, caller: WorkspaceCaller, copies: readonly Copy[]): Promise<void> {
    await this.database.execute(
      ...INSERT_COPIES({
        runId,
        userId: caller.person?.id ?? null,
        credentialId: caller.credentialId,
        credentialName: caller.credentialName,
        copies: JSON.stringify(copies),
        daysByPlan: this.daysByPlan,
      }),
    );
  }

  async releaseInputs(runId: string): Promise<void> {
    await this.files.update({ runId, direction: 'in' }, { runId: null, field: null, position: null });
  }

  async inputsOf(runId: string): Promise<InputFile[]> {
    const files = await this.files.find({
      select: { id: true, field: true, name: true, blobKey: true, size: true },
      where: { runId, direction: 'in' },
      order: { position: 'ASC', id: 'ASC' },
    });
    return files.map((file) => ({ ...file, field: file.field! }));
  }

  /** A run's own records of what it was given, by their places among its inputs. */
  async inputRecords(runId: string): Promise<(InputPlace & { id: string })[]> {
    const records = await this.files.find({
      select: { id: true, field: true, position: true },
      where: { runId, direction: 'in' },
    });
    return records.map(({ id, field, position }) => ({ id, field: field!, position: position! }));
  }

  /** Inputs first, in the order in which they were given; then outputs in the order of their paths. */
  filesOf(runIds: readonly string[]): Promise<FileRow[]> {
    return this.database.query<FileRow>(FILES_OF_RUNS, [runIds]);
  }

  async insertOutputs(files: readonly NewOutputFile[]): Promise<void> {
    await this.database.execute(
      ...INSERT_OUTPUTS({ files: JSON.stringify(files), daysByPlan: this.daysByPlan }),
    );
  }

  private get daysByPlan(): string {
    return JSON.stringify(this.plans.daysKept('files'));
  }
}
