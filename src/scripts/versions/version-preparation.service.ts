import { Injectable } from '@nestjs/common';

import { MAX_ARCHIVE_BYTES } from '../../../libs/archive/index.js';
import { BuildsService, type Installed } from '../../builds/index.js';
import type { WorkspaceCaller } from '../../core/access/index.js';
import { SchemaChecks } from '../../core/schema/index.js';
import { BlobStore } from '../../core/storage/index.js';
import { VersionSecretsService } from '../../secrets/index.js';
import { CommandDetectionService } from '../runtimes/command-detection.service.js';
import type { ScriptVersionInput } from './version-input.dto.js';
import { planVersion, type VersionPlan } from './version-plan.js';

/** What a version refers to, kept before it is. */
export interface StoredVersion {
  archiveKey: string;
  /** null: it depends on nothing. */
  installed: Installed | null;
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
  ) {}

  /** @throws InvalidRequest naming the field, entry or position that is wrong */
  plan(caller: WorkspaceCaller, input: ScriptVersionInput): Promise<VersionPlan> {
    return planVersion(input, { checks: this.checks, commands: this.commands }, caller.workspace.id);
  }

  /**
   * Stores the archive and installs what it depends on. Bytes that no version comes to use do no harm: they are kept by
   * what they are, once.
   *
   * @throws InvalidRequest for a secret that the caller may not use, or dependencies that cannot be installed
   */
  async store(
    caller: WorkspaceCaller,
    input: ScriptVersionInput,
    { archive, recipe, secrets }: VersionPlan,
  ): Promise<StoredVersion> {
    // As given, for the places that are named; each was found to be a name.
    await this.secrets.check(caller, { secrets, env: (input.env ?? []).map(String) });
    const { key } = await this.blobs.writeContent(archive.bytes, { maxBytes: MAX_ARCHIVE_BYTES });
    const installed = recipe && (await this.builds.install(caller.workspace.id, archive, key, recipe));
    return { archiveKey: key, installed };
  }
}
