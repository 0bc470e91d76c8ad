import type { Run } from '@gatehouse/client/operations';
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';

import { usePlace } from '../../app/use-place.js';
import { Moment } from '../../kit/moment.js';
import type { Reading } from '../../kit/reading.js';
import { Status } from '../../kit/status.js';
import { RunProgress } from '../runs/run/run-progress.js';
import { versionName } from '../runs/version-name.js';
import { Card } from './card.js';
import { Entries, Entry } from '../../kit/entries.js';
import { RUNNING_SHOWN } from './home-queries.js';

const RUNS = '/w/$workspace/$environment/runs';

/** What goes on, and how far it is. */
export function RunningNow({ query }: { query: Reading<{ items: Run[] }> }) {
  const place = usePlace();
  const runs = query.data?.items ?? [];
  const hasMore = runs.length > RUNNING_SHOWN;
  return (
    <Card
      title="Running now"
      query={query}
      isEmpty={runs.length === 0}
      empty="Nothing is running."
      more={{
        label: hasMore ? 'All that run' : 'Runs',
        link: { to: RUNS, params: place, search: hasMore ? { status: 'running' } : {} },
      }}
    >
      <Entries>
        {runs.slice(0, RUNNING_SHOWN).map((run) => (
          <Entry
            key={run.id}
            name={
              <Anchor
                inherit
                fw={500}
                renderRoot={(props) => (
                  <Link to={`${RUNS}/$runId`} params={{ ...place, runId: run.id }} {...props} />
                )}
              >
                {run.script.slug}
              </Anchor>
            }
            about={
              <>
                {versionName(run)} in {run.environment}, asked <Moment at={run.startedAt} />
                {run.phase === 'executing' && (
                  <RunProgress progress={run.progress} message={run.progressMessage} />
                )}
              </>
            }
          >
            <Status status={run.phase} />
          </Entry>
        ))}
      </Entries>
    </Card>
  );
}
