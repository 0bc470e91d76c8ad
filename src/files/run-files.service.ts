import { Injectable } from '@nestjs/common';

import type { FileField } from '../../libs/json-schema/index.js';
import type { WorkspaceCaller } from '../core/access/index.js';
import { isId, newId } from '../core/crypto/index.js';
import { InvalidRequest } from '../core/errors/index.js';
import type { ByteSource } from '../core/storage/index.js';
import { UsageService } from '../usage/index.js';
import type { FileDto } from './file.dto.js';
import { FileBlobsService } from './file-blobs.service.js';
import { FileLinksService } from './file-links.service.js';
import { baseName, outputName } from './file-name.js';
import { presentFile } from './file-presenter.js';
import { typeOfName } from './media-type.js';
import { type InputFile, type NewOutputFile, RunFilesRepository } from './run-files.repository.js';

export type { NewOutputFile } from './run-files.repository.js';

/** A file that a run left in /outputs. */
interface RunOutput {
  workspaceId: string;
  environmentId: string;
  runId: string;
  /** In /outputs. */
  path: string;
  /** In bytes. More of them are refused. */
  size: number;
  stream: ByteSource;
}

/** The files of runs: those given to them and those that they write. */
@Injectable()
export class RunFilesService {
  constructor(
    private readonly repository: RunFilesRepository,
    private readonly blobs: FileBlobsService,
    private readonly links: FileLinksService,
    private readonly usage: UsageService,
  ) {}

  /**
   * Gives files to a run, in the transaction that has inserted it. The first run to use an upload gets its record; any
   * other gets records of its own over the same bytes.
   *
   * @throws InvalidRequest at `inputs.<field>` for each file that is not there, for this caller in this environment
   */
  async claimInputs(runId: string, inputs: readonly FileField[], caller: WorkspaceCaller): Promise<void> {
    if (inputs.length === 0) return;
    const names = await this.claimableNames(inputs, caller);
    const uses = inputs.map(({ field, fileId: id }, position) => ({ id, field, position }));
    const firstUses = uses.filter(({ id }, at) => uses.findIndex((use) => use.id === id) === at);
    const takenOver = await this.repository.takeOver(runId, firstUses);
    const copies = uses
      .filter((use) => !takenOver.has(use.id) || !firstUses.includes(use))
      .map((use) => ({ ...use, id: newId('file'), sourceId: use.id, name: baseName(names.get(use.id)!) }));
    if (copies.length > 0) await this.repository.insertCopies(runId, caller, copies);
  }

  /**
   * A run's file inputs by its own records, which are there when the uploads are not any more. Where it has none any more,
   * the file stays as it was given.
   */
  async ownRecords(runId: string, inputs: readonly FileField[]): Promise<FileField[]> {
    if (inputs.length === 0) return [];
    const records = await this.repository.inputRecords(runId);
    return inputs.map(({ field, fileId }, position) => {
      const own = records.find((record) => record.field === field && record.position === position);
      return { field, fileId: own?.id ?? fileId };
    });
  }

  /** Takes from a run what it was given: others start it with something else. They are uploads again, of whoever gave them. */
  async releaseInputs(runId: string): Promise<void> {
    await this.repository.releaseInputs(runId);
  }

  /** In the order of the run's inputs. */
  inputsOf(runId: string): Promise<InputFile[]> {
    return this.repository.inputsOf(runId);
  }

  /** For presenting: what each of the runs was given, in the order of its inputs, and what it wrote, by name. */
  async filesOf(runIds: readonly string[]): Promise<FileDto[]> {
    return (await this.repository.filesOf(runIds)).map((row) => presentFile(row, this.links.to));
  }

  /**
   * Stores the bytes of an output. Not to be called within a transaction. The result goes to `insertOutputs`; if it
   * never does, the bytes are deleted a day later, or at once by `discardOutputs`.
   */
  async storeOutput({
    workspaceId,
    environmentId,
    runId,
    path,
    size,
    stream,
  }: RunOutput): Promise<NewOutputFile> {
    const id = newId('file');
    const { key, ...stored } = await this.blobs.write(id, stream, size);
    const name = outputName(path);
    return { id, workspaceId, environmentId, runId, name, type: typeOfName(name), blobKey: key, ...stored };
  }

  /**
   * Part of the transaction that finishes the run.
   *
   * @throws QuotaExceeded where the workspace may not keep that much
   */
  async insertOutputs(outputs: readonly NewOutputFile[]): Promise<void> {
    const [first] = outputs;
    if (!first) return;
    await this.repository.insertOutputs(outputs);
    const bytes = outputs.reduce((sum, { size }) => sum + size, 0);
    await this.usage.assertStored(first.workspaceId, bytes);
  }

  /** For a run that may not finish after all. Never fails. */
  async discardOutputs(outputs: readonly NewOutputFile[]): Promise<void> {
    if (outputs.length > 0) await this.blobs.discard(outputs.map(({ blobKey }) => blobKey));
  }

  /** By the files' ids. */
  private async claimableNames(
    inputs: readonly FileField[],
    caller: WorkspaceCaller,
  ): Promise<Map<string, string>> {
    const ids = [...new Set(inputs.map(({ fileId }) => fileId))].filter((id) => isId('file', id));
    const rows = ids.length > 0 ? await this.repository.claimable(ids, caller) : [];
    const names = new Map(rows.map(({ id, name }) => [id, name]));
    const missing = [...new Set(inputs.filter(({ fileId }) => !names.has(fileId)).map(({ field }) => field))];
    if (missing.length > 0) {
      const message = `is no file that you can use in ${caller.environment.name}, or it has expired: upload it there`;
      throw InvalidRequest.listing(missing.map((field) => ({ path: `inputs.${field}`, message })));
    }
    return names;
  }
}
