import {
  savedViewsCreate,
  savedViewsDelete,
  savedViewsList,
  savedViewsUpdate,
} from '../generated/sdk.gen.js';
import type {
  SavedView,
  SavedViewInput,
  SavedViewPatch,
  SavedViewsListData,
} from '../generated/types.gen.js';
import type { Calls } from '../http/calls.js';
import type { Pages } from '../http/pages.js';
import type { CallOptions } from '../http/settings.js';

/** Filters of the console's lists that people keep under a name. With a person's token only. */
export class SavedViews {
  constructor(private readonly calls: Calls) {}

  /** One's own, and those for everyone; newest first. */
  list(query?: SavedViewsListData['query'], options?: CallOptions): Pages<SavedView> {
    return this.calls.list(savedViewsList<true>, { query }, options);
  }

  create(input: SavedViewInput, options?: CallOptions): Promise<SavedView> {
    return this.calls.send(savedViewsCreate<true>, { body: input }, options);
  }

  update(id: string, patch: SavedViewPatch, options?: CallOptions): Promise<SavedView> {
    return this.calls.send(savedViewsUpdate<true>, { path: { id }, body: patch }, options);
  }

  delete(id: string, options?: CallOptions): Promise<void> {
    return this.calls.do(savedViewsDelete<true>, { path: { id } }, options);
  }
}
