import { defaultParseSearch, defaultStringifySearch } from '@tanstack/react-router';

import { type RunListSearch, runListSearchOf } from './run-list-search.js';

/** As it stands in the address after the question mark, in one order, so that equal filters have equal texts. */
export function viewOf(search: RunListSearch): string {
  const sorted = Object.entries(search).sort(([one], [other]) => (one < other ? -1 : 1));
  return defaultStringifySearch(Object.fromEntries(sorted)).replace(/^\?/, '');
}

/** What an older console saved, or somebody by the API, counts where it is understood. */
export function searchOfView(view: string): RunListSearch {
  return runListSearchOf(defaultParseSearch(`?${view}`));
}
