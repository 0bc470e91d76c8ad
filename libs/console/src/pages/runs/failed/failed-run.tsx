import type { Run } from '@gatehouse/client/operations';
import { runLogReadOptions } from '@gatehouse/client/react-query';
import { Alert, Button, Group, Stack } from '@mantine/core';
import IconAlertTriangle from 'icon:alert-triangle';
import IconPencil from 'icon:pencil';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';

import { basePath } from '../../../api/base.js';
import { usePlace, useRights } from '../../../app/use-place.js';
import { CopyButton } from '../../../kit/copy-button.js';
import { differencesOf } from './differences.js';
import { ticketOf } from './ticket.js';

const LINES = 20;

/** Why a run failed, in its own words, and what one does then. */
export function FailedRun({ run, success }: { run: Run; success: Run | null | undefined }) {
  const { error } = run;
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />} title="This run failed">
      <Stack gap="sm">
        <span className="user-text" style={{ whiteSpace: 'pre-wrap' }}>
          {error}
        </span>
        <Group gap="xs">
          <EditVersion run={run} />
          <CopyTicket run={run} success={success} />
        </Group>
      </Stack>
    </Alert>
  );
}

function CopyTicket({ run, success }: { run: Run; success: Run | null | undefined }) {
  const { workspace, environment } = usePlace();
  const query = { after: Math.max(0, run.logLines - LINES), limit: LINES };
  const { data } = useQuery(runLogReadOptions({ path: { runId: run.id }, query }));
  const ticket = ticketOf({
    run,
    address: `${location.origin}${basePath}/w/${workspace}/${environment}/runs/${run.id}`,
    lines: data?.lines ?? [],
    differences: success ? differencesOf(run, success) : null,
  });
  return <CopyButton value={ticket} label="Copy for a ticket" />;
}

/** A trial is no version, and its folder is not here. */
function EditVersion({ run: { script, version } }: { run: Run }) {
  const place = usePlace();
  const { edits } = useRights();
  if (!edits || version === 0) return null;
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<IconPencil size={14} aria-hidden />}
      renderRoot={(props) => (
        <Link
          to="/w/$workspace/$environment/scripts/$slug/edit"
          params={{ ...place, slug: script.slug }}
          search={{ version }}
          {...props}
        />
      )}
    >
      Edit this version
    </Button>
  );
}
