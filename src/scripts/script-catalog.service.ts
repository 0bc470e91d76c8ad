import { Injectable } from '@nestjs/common';

import type { FoundRunnable, RunnableQuery, RunnableScript, ScriptOffer } from './runnable-script.js';
import { ScriptCatalogRepository } from './script-catalog.repository.js';
import type { ScriptViewer } from './script-viewer.js';

export type { RunnableScript, VersionFacts } from './runnable-script.js';

/** What other domains may ask about scripts. */
@Injectable()
export class ScriptCatalogService {
  constructor(private readonly repository: ScriptCatalogRepository) {}

  /** All that starting a run needs to know, in one statement; null where there is no such script for that viewer. */
  async findRunnable(query: RunnableQuery): Promise<RunnableScript | null> {
    const row = await this.repository.findRunnable(query);
    return row && present(row);
  }

  /** Those of `slugs` that are of scripts which exist for the viewer, archived ones included. */
  async visibleSlugs(viewer: ScriptViewer, slugs: readonly string[]): Promise<Set<string>> {
    return new Set(slugs.length === 0 ? [] : await this.repository.visibleSlugs(viewer, slugs));
  }

  /** The published scripts that somebody may run, by slug; those with the given slugs where there are any. In one statement. */
  listOffers(viewer: ScriptViewer, slugs: readonly string[] | null): Promise<ScriptOffer[]> {
    return this.repository.listOffers(viewer, slugs);
  }
}

function present(row: FoundRunnable): RunnableScript {
  const { scriptId, slug, name, status, approvalPolicy, ownerUserId, publishNeedsSecondPerson, ...version } =
    row;
  const script = { scriptId, slug, name, status, approvalPolicy, ownerUserId, publishNeedsSecondPerson };
  return version.versionId === null
    ? { ...script, versionId: null, versionNumber: null }
    : { ...script, ...version };
}
