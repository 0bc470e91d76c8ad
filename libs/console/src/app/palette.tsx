import '@mantine/spotlight/styles.layer.css';

import { scriptsListOptions } from '@gatehouse/client/react-query';
import { useDebouncedValue } from '@mantine/hooks';
import {
  Spotlight,
  type SpotlightActionData,
  type SpotlightActionGroupData,
  createSpotlight,
} from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

import { usePlace, useRights } from './use-place.js';

const [store, palette] = createSpotlight();

/** Scripts, a run by its id, and every page and act that the person has. */
export default function Palette({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [query, setQuery] = useState('');
  const [typed] = useDebouncedValue(query.trim(), 150);
  const place = usePlace();
  const navigate = useNavigate();
  const pages = usePages();
  useEffect(() => (opened ? palette.open() : palette.close()), [opened]);

  const { data } = useQuery(
    scriptsListOptions({ query: { limit: 10, status: 'published', ...(typed && { q: typed }) } }),
  );
  const scripts = (data?.items ?? []).map(({ id, slug, name, description }): SpotlightActionData => ({
    id,
    label: name,
    description: description || slug,
    keywords: slug,
    onClick: () =>
      void navigate({ to: '/w/$workspace/$environment/scripts/$slug', params: { ...place, slug } }),
  }));
  const runs: SpotlightActionData[] = /^run_[0-9a-z]{26}$/.test(typed)
    ? [
        {
          id: typed,
          label: `Run ${typed}`,
          onClick: () =>
            void navigate({
              to: '/w/$workspace/$environment/runs/$runId',
              params: { ...place, runId: typed },
            }),
        },
      ]
    : [];
  const actions: SpotlightActionGroupData[] = [
    { group: 'Runs', actions: runs },
    { group: 'Scripts', actions: scripts },
    { group: 'Pages', actions: pages },
  ].filter((group) => group.actions.length > 0);

  return (
    <Spotlight
      store={store}
      actions={actions}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={onClose}
      shortcut={null}
      scrollable
      nothingFound="Nothing of that name"
      highlightQuery
      searchProps={{
        leftSection: <IconSearch size={18} aria-hidden />,
        placeholder: 'A script, a page, or the id of a run',
        'aria-label': 'Search scripts and pages',
      }}
    />
  );
}

function usePages(): SpotlightActionData[] {
  const place = usePlace();
  const navigate = useNavigate();
  const { administers, edits } = useRights();
  const page = (label: string, path: string, shown = true): SpotlightActionData[] =>
    shown
      ? [
          {
            id: path,
            label,
            onClick: () => void navigate({ to: `/w/$workspace/$environment/${path}`, params: place }),
          },
        ]
      : [];
  return [
    ...page('New script', 'scripts/new', edits),
    ...page('Scripts', 'scripts'),
    ...page('Runs', 'runs'),
    ...page('Approvals', 'approvals', edits),
    ...page('Files', 'files'),
    ...page('Webhooks', 'webhooks', administers),
    ...page('Secrets', 'settings/secrets', edits),
    ...page('Members', 'settings/members', edits),
    ...page('Environments', 'settings/environments', edits),
    ...page('API keys', 'settings/api-keys', administers),
    ...page('Usage', 'settings/usage', edits),
    ...page('Audit log', 'settings/audit', administers),
  ];
}
