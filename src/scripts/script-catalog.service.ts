import { Injectable } from '@nestjs/common';

import type { FoundRunnable, RunnableQuery, RunnableScript, ScriptOffer } from './runnable-script.js';
import { ScriptCatalogRepository, type SlugBeginning } from './script-catalog.repository.js';
import type { ScriptViewer } from './script-viewer.js';

/** Most workspaces have fewer, so that their clients need not ask twice. Where they are large, a page has fewer of them. */
const PAGE_OF_OFFERS = 1_000;

interface OffersWanted {
  /** The slug after which to go on. */
  after: string | null;
  most: number;
  /** What is in slug, name, description or a tag of each. */
  words?: string;
}

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
    return new Set((await this.visibleIds(viewer, slugs)).keys());
  }

  /** The ids of the same, by their slugs. */
  async visibleIds(viewer: ScriptViewer, slugs: readonly string[]): Promise<Map<string, string>> {
    const visible = slugs.length === 0 ? [] : await this.repository.listVisible(viewer, slugs);
    return new Map(visible.map(({ slug, id }) => [slug, id]));
  }

  /** The slug that begins so and whose SHA-256 in hex begins with the digest; null where the viewer sees none. */
  findSlug(viewer: ScriptViewer, begin: SlugBeginning): Promise<string | null> {
    return this.repository.findSlug(viewer, begin);
  }

  /** Those of the given slugs that are of published scripts which somebody may run, by slug. In one statement. */
  offersNamed(viewer: ScriptViewer, slugs: readonly string[]): Promise<ScriptOffer[]> {
    return this.repository.listOffers(viewer, { only: slugs, after: null, count: slugs.length, words: null });
  }

  /** The published scripts that somebody may run, by slug: those after one, and whether there are more. In one statement. */
  async offersAfter(viewer: ScriptViewer, { after, most, words }: OffersWanted): Promise<OffersPage> {
    const page = Math.min(most, PAGE_OF_OFFERS);
    const query = { only: null, after, count: page + 1, words: words ?? null };
    const found = await this.repository.listOffers(viewer, query);
    const offers = found.slice(0, page);
    return { offers, hasMore: offers.length < (found[0]?.found ?? 0) };
  }
}

function present(row: FoundRunnable): RunnableScript {
  const { scriptId, slug, name, status, approvalPolicy, ask, ownerUserId, queue, ...rest } = row;
  const { publishNeedsSecondPerson, plan, ...version } = rest;
  const settings = { approvalPolicy, ask, ownerUserId, queue, publishNeedsSecondPerson, plan };
  const script = { scriptId, slug, name, status, ...settings };
  return version.versionId === null
    ? { ...script, versionId: null, versionNumber: null }
    : { ...script, ...version };
}
