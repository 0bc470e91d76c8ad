import { Injectable } from '@nestjs/common';

import type { FoundRunnable, RunnableQuery, RunnableScript, ScriptOffer } from './runnable-script.js';
import { ScriptCatalogRepository } from './script-catalog.repository.js';
import type { ScriptViewer } from './script-viewer.js';

/** Most workspaces have fewer, so that their clients need not ask twice. Where they are large, a page has fewer of them. */
const PAGE_OF_OFFERS = 1_000;

interface OffersPage {
  offers: ScriptOffer[];
  hasMore: boolean;
}

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

  /** Those of the given slugs that are of published scripts which somebody may run, by slug. In one statement. */
  offersNamed(viewer: ScriptViewer, slugs: readonly string[]): Promise<ScriptOffer[]> {
    return this.repository.listOffers(viewer, { only: slugs, after: null, count: slugs.length });
  }

  /** The published scripts that somebody may run, by slug: those after one, and whether there are more. In one statement. */
  async offersAfter(viewer: ScriptViewer, after: string | null): Promise<OffersPage> {
    const found = await this.repository.listOffers(viewer, { only: null, after, count: PAGE_OF_OFFERS + 1 });
    const offers = found.slice(0, PAGE_OF_OFFERS);
    return { offers, hasMore: offers.length < (found[0]?.found ?? 0) };
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
