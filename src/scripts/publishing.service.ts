import { Injectable } from '@nestjs/common';

import { ApprovalsService, askerOf, type FiledApprovalDto } from '../approvals/index.js';
import { nameText } from '../notifications/index.js';
import { AuditTrail } from '../audit/index.js';
import { AccessLossHooks, type WorkspaceCaller } from '../core/access/index.js';
import { Database } from '../core/database/index.js';
import { NotFound } from '../core/errors/index.js';
import type { PublishRequestedDto } from './publish-requested.dto.js';
import type { ScriptDetailDto } from './script.dto.js';
import type { PublishInput } from './script-input.dto.js';
import { assertExpected } from './expected-version.js';
import { ScriptEventWriter } from './script.events.js';
import { statusAfter } from './script.status.js';
import { viewerOf } from './script-viewer.js';
import { ScriptsRepository } from './scripts.repository.js';
import type { LockedScriptRow } from './scripts.sql.js';
import { ScriptsService } from './scripts.service.js';
import { PublishableVersionsService } from './versions/publishable-versions.service.js';

/** Decides which version runs use. */
@Injectable()
export class PublishingService {
  constructor(
    private readonly scripts: ScriptsRepository,
    private readonly versions: PublishableVersionsService,
    private readonly service: ScriptsService,
    private readonly database: Database,
    private readonly audit: AuditTrail,
    private readonly events: ScriptEventWriter,
    private readonly approvals: ApprovalsService,
    private readonly losses: AccessLossHooks,
  ) {}

  /**
   * Publishing what is published already changes nothing. Where it needs a second person, one is asked.
   *
   * @throws Conflict where another version is published than was expected, or there is nobody else who could approve
   */
  async publish(
    caller: WorkspaceCaller,
    slug: string,
    wanted: PublishInput,
  ): Promise<ScriptDetailDto | PublishRequestedDto> {
    const approval = await this.database.transaction(async () => {
      const { script, versionId } = await this.publishable(caller, slug, wanted);
      if (script.publishedVersion === wanted.version) return null;
      if (script.publishNeedsSecondPerson) return this.askSecondPerson(caller, script, wanted);
      await this.makePublished(caller, script, versionId, wanted.version);
      return null;
    });
    return approval ? { approval } : this.service.detail(caller, slug);
  }

  /** As `publish`, by the second person. */
  publishApproved(approver: WorkspaceCaller, slug: string, wanted: PublishInput): Promise<void> {
    return this.database.transaction(async () => {
      const { script, versionId } = await this.publishable(approver, slug, wanted);
      if (script.publishedVersion === wanted.version) return;
      await this.makePublished(approver, script, versionId, wanted.version);
    });
  }

  unpublish(caller: WorkspaceCaller, slug: string): Promise<ScriptDetailDto> {
    return this.move(caller, slug, async (script) => {
      await this.scripts.setStatus(script.id, statusAfter(script.status, 'unpublish'), null);
      const details = { slug, version: script.publishedVersion };
      await this.audit.record(caller.workspace.id, caller, 'script.unpublished', targetOf(script), details);
      await this.losses.report({ scriptIds: [script.id] });
    });
  }

  restore(caller: WorkspaceCaller, slug: string): Promise<ScriptDetailDto> {
    return this.move(caller, slug, async (script) => {
      await this.scripts.setStatus(script.id, statusAfter(script.status, 'restore'), null);
      await this.audit.record(caller.workspace.id, caller, 'script.restored', targetOf(script), { slug });
    });
  }

  private async publishable(caller: WorkspaceCaller, slug: string, wanted: PublishInput) {
    const script = await this.scripts.lock(viewerOf(caller), slug);
    if (!script) throw new NotFound('script');
    const versionId = await this.versions.find(script, wanted.version);
    statusAfter(script.status, 'publish');
    assertExpected(wanted.expectedVersion, 'published', script);
    return { script, versionId };
  }

  private async makePublished(
    caller: WorkspaceCaller,
    script: LockedScriptRow,
    versionId: string,
    number: number,
  ): Promise<void> {
    await this.scripts.setStatus(script.id, statusAfter(script.status, 'publish'), number);
    await this.versions.markPublished(versionId);
    const details = { slug: script.slug, version: number, before: script.publishedVersion };
    await this.audit.record(caller.workspace.id, caller, 'script.published', targetOf(script), details);
    await this.events.add('script.published', caller, script, number);
  }

  private askSecondPerson(
    caller: WorkspaceCaller,
    script: LockedScriptRow,
    { version, expectedVersion }: PublishInput,
  ): Promise<FiledApprovalDto> {
    return this.approvals.file({
      workspaceId: caller.workspace.id,
      environmentId: caller.environment.id,
      action: 'script.publish',
      summary: publishSummary(script, version),
      input: { slug: script.slug, version, ...(expectedVersion !== undefined && { expectedVersion }) },
      reason: 'Publishing needs a second person in this workspace.',
      asker: askerOf(caller),
    });
  }

  private async move(
    caller: WorkspaceCaller,
    slug: string,
    work: (script: LockedScriptRow) => Promise<void>,
  ): Promise<ScriptDetailDto> {
    await this.database.transaction(async () => {
      const script = await this.scripts.lock(viewerOf(caller), slug);
      if (!script) throw new NotFound('script');
      await work(script);
    });
    return this.service.detail(caller, slug);
  }
}

function targetOf({ id }: LockedScriptRow): { type: string; id: string } {
  return { type: 'script', id };
}

/** What approving to publish a version does. */
export function publishSummary({ name, slug }: { name: string; slug: string }, version: number): string {
  return `Publish version ${version} of the script ${nameText(name)} (${slug}): runs use it from then on.`;
}
