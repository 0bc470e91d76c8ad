import { useNavigate, useSearch } from '@tanstack/react-router';

import { Page } from '../../kit/page.js';
import { ScriptSelect } from '../runs/list/script-select.js';
import { Insights } from './insights.js';
import type { InsightsSearch } from './insights-search.js';

const FROM = '/w/$workspace/$environment/insights';

/** How the runs of the whole workspace go. */
export function InsightsPage() {
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const onSearch = (next: InsightsSearch): void => void navigate({ search: next, resetScroll: false });
  return (
    <Page title="Insights" description="How runs ended over time, what they took and how long they waited.">
      <Insights search={search} onSearch={onSearch}>
        <ScriptSelect
          size="xs"
          w={180}
          aria-label="Script"
          placeholder="Any script"
          value={search.script ?? null}
          onChange={(script) => {
            const { script: _, ...rest } = search;
            onSearch(script === null ? rest : { ...rest, script });
          }}
          clearable
        />
      </Insights>
    </Page>
  );
}
