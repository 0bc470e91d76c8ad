import { Injectable } from '@nestjs/common';

import { AuditTrail } from '../audit/audit-trail.js';
import type { WorkspaceCaller } from '../core/access/caller.js';
import { Database } from '../core/database/database.js';
import { Conflict, NotFound } from '../core/http/errors.js';
import type { ScriptDetailDto } from './script.dto.js';
import { ScriptEvents } from './script.events.js';
import { statusAfter } from './script.status.js';
import { viewerOf } from './script-viewer.js';
import { type LockedScriptRow, ScriptsRepository } from './scripts.repository.js';
import { ScriptsService } from './scripts.service.js';
import { VersionsRepository } from './versions/versions.repository.js';

/** Decides which version runs use. */
@Injectable()
export class PublishingService {
  constructor(
    private readonly scripts: ScriptsRepository,
    private readonly versions: VersionsRepository,
    private readonly service: ScriptsService,
    private readonly database: Database,
    private readonly audit: AuditTrail,
    private readonly events: ScriptEvents,
  ) {}

  /** Publishing what is published already changes nothing. */
  publish(caller: WorkspaceCaller, slug: string, number: number): Promise<ScriptDetailDto> {
    return this.move(caller, slug, async (script) => {
      const versionId = await this.versions.idOf(script.id, number);
      if (versionId === null) throw new NotFound('version');
      const status = statusAfter(script.status, 'publish');
      if (script.publishedVersion === number) return;
      if (script.publishNeedsSecondPerson) {
        throw new Conflict(
          'Publishing here needs a second person, and asking one for approval is not available yet. An owner or admin can switch off publishNeedsSecondPerson in the script settings.',
        );
      }
      await this.scripts.setStatus(script.id, status, number);
      await this.versions.markPublished(versionId);
      const details = { slug, version: number, before: script.publishedVersion };
      await this.audit.record(caller.workspace.id, caller, 'script.published', targetOf(script), details);
      await this.events.tell('script.published', caller, script, number);
    });
  }

  unpublish(caller: WorkspaceCaller, slug: string): Promise<ScriptDetailDto> {
    return this.move(caller, slug, async (script) => {
      await this.scripts.setStatus(script.id, statusAfter(script.status, 'unpublish'), null);
      const details = { slug, version: script.publishedVersion };
      await this.audit.record(caller.workspace.id, caller, 'script.unpublished', targetOf(script), details);
    });
  }

  restore(caller: WorkspaceCaller, slug: string): Promise<ScriptDetailDto> {
    return this.move(caller, slug, async (script) => {
      await this.scripts.setStatus(script.id, statusAfter(script.status, 'restore'), null);
      await this.audit.record(caller.workspace.id, caller, 'script.restored', targetOf(script), { slug });
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
