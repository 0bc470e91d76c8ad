import { usageGetOptions } from '@gatehouse/client/react-query';
import { Alert, List, Skeleton, Stack } from '@mantine/core';
import IconAlertTriangle from 'icon:alert-triangle';
import { useQuery } from '@tanstack/react-query';

import { useRights } from '../../../app/use-place.js';
import { LOCALE } from '../../../kit/locale.js';
import { Moment } from '../../../kit/moment.js';
import { Page } from '../../../kit/page.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { MemberBudget } from './member-budget.js';
import { Meter } from './meter.js';
import { RunLimits } from './run-limits.js';

const day = new Intl.DateTimeFormat(LOCALE, {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

export function UsagePage() {
  const { edits } = useRights();
  const { data, isPending, error, refetch } = useQuery(usageGetOptions());
  return (
    <Page
      title="Usage"
      description={
        data && (
          <>
            Since {day.format(new Date(data.periodStart))} (UTC). Counting begins anew{' '}
            <Moment at={data.periodEnd} />.
          </>
        )
      }
    >
      {isPending && <Skeleton height={280} aria-hidden />}
      {error && <ProblemNotice error={error} onRetry={refetch} />}
      {data?.notices && (
        <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />} title="Near a limit">
          <List size="sm">
            {data.notices.map((notice) => (
              <List.Item key={notice}>{notice}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      {data && (
        <Stack gap="lg" maw={640}>
          {data.meters.map((meter) => (
            <Meter key={meter.id} meter={meter} />
          ))}
          <RunLimits eachRun={data.eachRun} />
        </Stack>
      )}
      {edits && <MemberBudget />}
    </Page>
  );
}
