import { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';

import { MAX_ARCHIVE_BYTES } from '../../../libs/archive/index.js';
import { BuildsService, type Installed, passedOver } from '../../builds/index.js';
import type { WorkspaceCaller } from '../../core/access/index.js';
import { Settings } from '../../core/config/index.js';
import { SchemaChecks } from '../../core/schema/index.js';
import { BlobStore } from '../../core/storage/index.js';
import { VersionSecretsService } from '../../secrets/index.js';
import { UsageService } from '../../usage/index.js';
import { CommandDetectionService } from '../runtimes/command-detection.service.js';
import type { ScriptFolderInput } from './version-input.dto.js';
import { planVersion, type VersionPlan } from './version-plan.js';

/** What a version refers to, kept before it is. */
export interface StoredVersion {
  archiveKey: string;
  installed: Omit<Installed, 'buildLog' | 'depsKey'> & {
    /** null: there is nothing to say. */
    buildLog: string | null;
    /** null: it depends on nothing. */
    depsKey: string | null;
  };
}

/** All that takes long about a new version, done before the transaction that makes it. */
@Injectable()
export class VersionPreparationService {
  constructor(
    private readonly checks: SchemaChecks,
    private readonly commands: CommandDetectionService,
    private readonly secrets: VersionSecretsService,
    private readonly builds: BuildsService,
    private readonly blobs: BlobStore,
    private readonly settings: Settings,
    private readonly usage: UsageService,
  ) {}

  /** @throws InvalidRequest naming the field, entry or position that is wrong */
  async plan(caller: WorkspaceCaller, input: ScriptFolderInput): Promise<VersionPlan> {
    const { checks, commands, settings } = this;
    const { id } = caller.workspace;
    const limits = await this.usage.limitsOfRun(id);
    return planVersion(input, { checks, commands, settings, limits }, id);
  }

  /**
   * Stores the archive and installs what it depends on. Bytes that no version comes to use do no harm: they are kept by
   * what they are, once.
   *
   * @param ownKey where the archive is stored in place of that, by itself, so that it can be deleted
   * @throws InvalidRequest for a secret that the caller may not use, or dependencies that cannot be installed
   */
  async store(
    caller: WorkspaceCaller,
    input: ScriptFolderInput,
    { archive, recipe, secrets }: VersionPlan,
    ownKey?: string,
  ): Promise<StoredVersion> {
    // As given, for the places that are named; each was found to be a name.
    await this.secrets.check(caller, { secrets, env: (input.env ?? []).map(String) });
    const archiveKey = await this.write(archive.bytes, ownKey);
    // Where nothing is installed, the folder is what was uploaded.
    const { buildLog, ...installed } = recipe
      ? await this.builds.install(caller.workspace.id, archive, archiveKey, recipe)
      : { buildLog: '', depsKey: null, depsWhole: false, archiveBytes: archive.bytes.length };
    const log =
      passedOver(archive, recipe)
        .map((line) => `${line}\n`)
        .join('') + buildLog;
    return { archiveKey, installed: { ...installed, buildLog: log === '' && recipe === null ? null : log } };
  }

  /** Deletes archives that were stored by themselves, but for those that something may still be installed from. */
  async discard(ownKeys: readonly string[]): Promise<void> {
    const kept = await this.builds.sourcesAmong(ownKeys);
    await this.blobs.delete(ownKeys.filter((key) => !kept.has(key)));
  }

  private async write(bytes: Buffer, ownKey: string | undefined): Promise<string> {
    const limits = { maxBytes: MAX_ARCHIVE_BYTES };
    if (ownKey === undefined) return (await this.blobs.writeContent(bytes, limits)).key;
    await this.blobs.write(ownKey, Readable.from([bytes]), limits);
    return ownKey;
  }
}
