import type { Run } from '@gatehouse/client/operations';
import { runsListOptions } from '@gatehouse/client/react-query';
import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';

import { usePlace } from '../../../app/use-place.js';
import { Entries, Entry } from '../../../kit/entries.js';
import { Moment, durationText } from '../../../kit/moment.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { Section } from '../../../kit/section.js';
import { Status } from '../../../kit/status.js';
import { INTERFACES } from '../../runs/list/run-filters.js';
import { usePersonName } from '../../runs/run/use-person-name.js';
import { versionName } from '../../runs/version-name.js';
import { useScript } from '../script-context.js';
import { RunStrip } from './run-strip.js';
import { UsualDurations } from './usual-durations.js';

export const STRIP = 30;
const LISTED = 10;

/** How the script has fared lately, below the form that runs it. */
export function LastRuns() {
  const { slug } = useScript();
  const place = usePlace();
  const nameOf = usePersonName();
  const { data, error, refetch } = useQuery(
    runsListOptions({ query: { script: slug, plan: 'false', limit: STRIP } }),
  );
  if (!data && error) return <ProblemNotice error={error} onRetry={refetch} />;
  if (!data || data.items.length === 0) return null;
  const { items: runs, nextCursor } = data;
  return (
    <Section
      title="Last runs"
      actions={
        (runs.length > LISTED || nextCursor !== null) && (
          <Anchor
            size="sm"
            renderRoot={(props) => (
              <Link
                to="/w/$workspace/$environment/scripts/$slug/runs"
                params={{ ...place, slug }}
                resetScroll={false}
                {...props}
              />
            )}
          >
            All runs
          </Anchor>
        )
      }
    >
      <RunStrip runs={runs} />
      <UsualDurations />
      <Entries>
        {runs.slice(0, LISTED).map((run) => (
          <Entry
            key={run.id}
            name={<RunLink run={run} />}
            about={run.error ?? `${versionName(run)} · ${starterOf(run)}`}
          >
            <Text size="sm" ta="right" c="dimmed">
              {run.durationMs !== null && `${durationText(run.durationMs)} · `}
              <Moment at={run.startedAt} />
            </Text>
          </Entry>
        ))}
      </Entries>
    </Section>
  );

  function starterOf({ startedBy: { userId, credentialName }, interface: how }: Run): string {
    return userId === null ? (credentialName ?? INTERFACES[how]) : nameOf(userId);
  }
}

function RunLink({ run: { id, phase, status } }: { run: Run }) {
  const place = usePlace();
  return (
    <Link to="/w/$workspace/$environment/runs/$runId" params={{ ...place, runId: id }}>
      <Status status={phase === 'finished' ? status : phase} />
    </Link>
  );
}
