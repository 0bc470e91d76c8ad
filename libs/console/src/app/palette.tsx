import '@mantine/spotlight/styles.layer.css';

import { scriptsListOptions } from '@gatehouse/client/react-query';
import { useDebouncedValue } from '@mantine/hooks';
import {
  Spotlight,
  type SpotlightActionData,
  type SpotlightActionGroupData,
  createSpotlight,
} from '@mantine/spotlight';
import IconSearch from 'icon:search';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useState } from 'react';

import { usePaletteActs } from './use-palette-acts.js';
import { usePaletteHere } from './use-palette-here.js';
import { usePalettePages } from './use-palette-pages.js';
import { usePaletteRuns } from './use-palette-runs.js';
import { usePlace } from './use-place.js';

const [store, palette] = createSpotlight();
const NONE: SpotlightActionGroupData[] = [];

interface PaletteProps {
  opened: boolean;
  onClose: () => void;
  /** The list of keys is wanted. */
  onKeys: () => void;
}

/** What the page offers, scripts, runs, and every page and act that the person has. */
export default function Palette({ opened, onClose, onKeys }: PaletteProps) {
  const [query, setQuery] = useState('');
  const [typed] = useDebouncedValue(query.trim(), 150);
  const place = usePlace();
  const navigate = useNavigate();
  const pages = usePalettePages();
  const acts = usePaletteActs(onKeys);
  const here = usePaletteHere(opened);
  const runs = usePaletteRuns(typed);
  useEffect(() => (opened ? palette.open() : palette.close()), [opened]);

  const { data } = useQuery(
    scriptsListOptions({ query: { limit: 10, status: 'published', ...(typed && { q: typed }) } }),
  );
  const scripts = (data?.items ?? []).map(({ id, slug, name, description, tags }): SpotlightActionData => ({
    id,
    label: name,
    description: description || slug,
    keywords: [slug, ...tags],
    onClick: () =>
      void navigate({ to: '/w/$workspace/$environment/scripts/$slug', params: { ...place, slug } }),
  }));
  const groups: SpotlightActionGroupData[] = [
    { group: 'This page', actions: here },
    { group: 'Scripts', actions: scripts },
    { group: 'Runs', actions: runs },
    { group: 'Pages', actions: pages },
    { group: 'Actions', actions: acts },
  ].filter((group) => group.actions.length > 0);
  // The field is there before them, and what is typed into it goes first.
  const actions = useDeferredValue(opened ? groups : NONE, NONE);
  useFirstChosen(actions, query);

  return (
    <Spotlight
      store={store}
      actions={actions}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={onClose}
      shortcut={null}
      scrollable
      attributes={{ content: { 'aria-label': 'Search' } }}
      nothingFound={actions === NONE ? null : 'Nothing of that name'}
      highlightQuery
      searchProps={{
        leftSection: <IconSearch size={18} aria-hidden />,
        placeholder: 'A script, a run, a page or an action',
        'aria-label': 'Search scripts, runs, pages and actions',
      }}
    />
  );
}

/** What was asked for comes later than it was typed: the first of it is chosen then, so that Enter takes it. */
function useFirstChosen(groups: SpotlightActionGroupData[], query: string): void {
  const ids = groups.flatMap(({ actions }) => actions.map(({ id }) => id)).join(' ');
  useEffect(() => {
    const list = document.getElementById(store.getState().listId);
    if (query === '' || !list || list.querySelector('[data-selected]')) return;
    list.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
    store.updateState((state) => ({ ...state, selected: 0 }));
  }, [ids, query]);
}
