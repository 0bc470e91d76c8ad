import { runsListInfiniteOptions } from '@gatehouse/client/react-query';
import { Anchor, Group, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';

import { usePlace } from '../../../app/use-place.js';
import { Empty } from '../../../kit/empty.js';
import { Listing } from '../../../kit/listing.js';
import { usePages } from '../../../kit/use-pages.js';
import { runColumns } from '../../runs/list/run-columns.js';
import { usePersonName } from '../../runs/run/use-person-name.js';
import { useScript } from '../script-context.js';
import { STRIP } from './last-runs.js';
import { RunStrip } from './run-strip.js';
import { UsualDurations } from './usual-durations.js';

/** All runs of the script, the newest first. */
export function RunsTab() {
  const { slug } = useScript();
  const place = usePlace();
  const nameOf = usePersonName();
  const query = usePages(runsListInfiniteOptions({ query: { script: slug, limit: 50 } }));
  const columns = useMemo(() => runColumns(place, nameOf), [place, nameOf]);
  const latest = query.data?.pages[0]?.items.slice(0, STRIP) ?? [];
  return (
    <Stack>
      {latest.length > 0 && (
        <Group justify="space-between" align="flex-end">
          <Stack gap="xs" style={{ flex: '1 1 18rem' }}>
            <RunStrip runs={latest} />
            <UsualDurations />
          </Stack>
          <Anchor
            size="sm"
            renderRoot={(props) => (
              <Link
                to="/w/$workspace/$environment/runs"
                params={place}
                search={{ script: slug }}
                {...props}
              />
            )}
          >
            Filter them
          </Anchor>
        </Group>
      )}
      <Listing
        label="Runs of this script"
        query={query}
        columns={columns}
        empty={
          <Empty title="It has not run yet">Each of its runs is listed here, whatever started it.</Empty>
        }
      />
    </Stack>
  );
}
