import { Box } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';

import { useRights } from '../../../app/use-place.js';
import { Listing } from '../../../kit/listing.js';
import { Page } from '../../../kit/page.js';
import { NewScriptButton, NoScripts } from './no-scripts.js';
import { usePins } from './pins.js';
import { useScriptColumns } from './script-columns.js';
import { ScriptFilters } from './script-filters.js';
import { type ScriptSearch, scriptSearchOf } from './script-search.js';
import { useScriptList } from './use-script-list.js';

const route = getRouteApi('/w/$workspace/$environment/scripts');

export function ScriptListPage() {
  const { edits } = useRights();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { pins } = usePins();
  const query = useScriptList(search, pins);
  const columns = useScriptColumns();
  const tags = useMemo(() => {
    const found = query.data?.pages.flatMap(({ items }) => items.flatMap((script) => script.tags)) ?? [];
    return [...new Set([...(search.tag ? [search.tag] : []), ...found])].sort();
  }, [query.data, search.tag]);
  const show = (next: ScriptSearch): void =>
    void navigate({
      to: '.',
      search: scriptSearchOf({ ...next }),
      // A word is typed in several steps, but taken back in one.
      replace: Boolean(search.q && next.q && search.q !== next.q),
      resetScroll: false,
    });
  const isSearch = Object.keys(search).length > 0;

  return (
    <Page title="Scripts" actions={edits && <NewScriptButton />}>
      <ScriptFilters search={search} tags={tags} onSearch={show} />
      <Box aria-busy={query.isPlaceholderData} style={{ opacity: query.isPlaceholderData ? 0.6 : 1 }}>
        <Listing
          label="Scripts"
          query={query}
          columns={columns}
          empty={<NoScripts isSearch={isSearch} onClear={() => show({})} />}
        />
      </Box>
    </Page>
  );
}
