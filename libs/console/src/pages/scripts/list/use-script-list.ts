import type { Script } from '@gatehouse/client/operations';
import { scriptsDetailOptions } from '@gatehouse/client/react-query';
import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';

import { usePages } from '../../../kit/use-pages.js';
import { pinnedFirst } from './pinned-first.js';
import { type ScriptSearch, scriptsQuery } from './script-search.js';

/** The scripts that fit the search, the pinned ones first. While another search is read, the last one stays. */
export function useScriptList(search: ScriptSearch, pins: string[]) {
  const query = usePages({
    ...scriptsQuery(search),
    placeholderData: keepPreviousData,
  });
  const isSearch = Object.keys(search).length > 0;
  // A pinned script may be on a page that is not read yet. Among search results only what was found counts.
  const { pinned, waits } = useQueries({
    queries: isSearch ? [] : pins.map((slug) => scriptsDetailOptions({ path: { slug } })),
    combine: combined,
  });
  const { data } = query;
  const merged = useMemo(() => {
    if (!data || waits) return undefined;
    const found = data.pages.flatMap(({ items }) => items).filter(({ slug }) => pins.includes(slug));
    return { ...data, pages: pinnedFirst(data.pages, isSearch ? found : pinned) };
  }, [data, waits, isSearch, pins, pinned]);
  return { ...query, data: merged, isPending: query.isPending || waits } as typeof query;
}

/** A pinned script that is gone, or that the person may not see any more, is passed over. */
function combined(results: { data: Script | undefined; isPending: boolean }[]): {
  pinned: Script[];
  waits: boolean;
} {
  return {
    pinned: results.flatMap(({ data }) => (data ? [data] : [])),
    waits: results.some(({ isPending }) => isPending),
  };
}
