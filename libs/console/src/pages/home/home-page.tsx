import { scriptsListOptions } from '@gatehouse/client/react-query';
import { SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { useWorkspace } from '../../app/use-place.js';
import { Page } from '../../kit/page.js';
import { Failures } from './failures.js';
import { FirstSteps } from './first-steps.js';
import { hoursQuery, progressInterval, runningQuery, schedulesQuery } from './home-queries.js';
import { LastDay } from './last-day.js';
import { msUntilDue } from './next-due.js';
import { NextSchedules } from './next-schedules.js';
import { RunningNow } from './running-now.js';
import { Waiting } from './waiting.js';
import { Warnings } from './warnings.js';

/** So many scripts tell whether anything has ever run. */
const LOOKED_AT = 20;

/** How things are going: what waits for the person, what failed, what goes on and what comes next. */
export function HomePage() {
  const { name } = useWorkspace();
  const hours = useQuery(hoursQuery());
  const running = useQuery({
    ...runningQuery(),
    refetchInterval: ({ state }) => progressInterval(state.data?.items ?? []),
  });
  const schedules = useQuery({
    ...schedulesQuery(),
    refetchInterval: ({ state }) => msUntilDue(state.data?.items ?? [], Date.now()),
  });
  const [hasRun, setHasRun] = useState(false);
  if (!hasRun && (running.data?.items.length ?? 0) > 0) setHasRun(true);
  const isQuiet =
    !hasRun &&
    running.data?.items.length === 0 &&
    hours.data?.buckets.every(({ succeeded, failed, other }) => succeeded + failed + other === 0) === true;
  const first = useFirstScript(isQuiet);
  return (
    <Page title="Home" heading={<span className="user-text">{name}</span>}>
      <Stack>
        <Warnings schedules={schedules.data} />
        {first !== undefined && <FirstSteps script={first} />}
        <Waiting />
        {first === undefined && <LastDay query={hours} />}
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md" style={{ alignItems: 'start' }}>
          <Failures />
          <Stack>
            <RunningNow query={running} />
            <NextSchedules query={schedules} />
          </Stack>
        </SimpleGrid>
      </Stack>
    </Page>
  );
}

/** Of a workspace in which nothing has run the script to begin with, null where there is none; undefined: it is no such workspace. */
function useFirstScript(isQuiet: boolean) {
  const { data } = useQuery({
    ...scriptsListOptions({ query: { limit: LOOKED_AT } }),
    enabled: isQuiet,
  });
  if (!isQuiet || !data || data.nextCursor !== null) return undefined;
  if (data.items.some(({ stats }) => stats.lastRunAt !== null)) return undefined;
  return data.items.find(({ status }) => status === 'published') ?? data.items[0] ?? null;
}
