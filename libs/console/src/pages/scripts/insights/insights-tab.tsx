import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';

import { Insights } from '../../insights/insights.js';
import { useScript } from '../script-context.js';

const route = getRouteApi('/w/$workspace/$environment/scripts/$slug/insights');

/** How the script's runs go. */
export function InsightsTab() {
  const { slug } = useScript();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const ofScript = useMemo(() => ({ ...search, script: slug }), [search, slug]);
  return (
    <Insights
      ofScript
      search={ofScript}
      onSearch={({ script: _, ...next }) => void navigate({ to: '.', search: next, resetScroll: false })}
    />
  );
}
