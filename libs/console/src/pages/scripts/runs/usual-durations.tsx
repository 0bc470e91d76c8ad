import { runStatisticsReadOptions } from '@gatehouse/client/react-query';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';

import { useRights } from '../../../app/use-place.js';
import { secondsText } from '../../insights/counts-table.js';
import { useScript } from '../script-context.js';

/** What runs of the script take, for those who may read that. */
export function UsualDurations() {
  const { slug } = useScript();
  const { edits } = useRights();
  const { data } = useQuery({
    ...runStatisticsReadOptions({ query: { by: 'day', script: slug } }),
    enabled: edits,
  });
  const { p50 = null, p95 = null } = data?.totals.durationSeconds ?? {};
  if (p50 === null) return null;
  return (
    <Text size="sm" c="dimmed">
      In 30 days half took at most <b>{secondsText(p50)}</b>, and 95 % at most <b>{secondsText(p95)}</b>.
    </Text>
  );
}
