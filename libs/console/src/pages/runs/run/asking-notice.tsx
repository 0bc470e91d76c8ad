import type { Run } from '@gatehouse/client/operations';
import { Alert, Anchor, Text } from '@mantine/core';
import IconHandStop from 'icon:hand-stop';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';

import { pendingRequestsQuery } from '../../../app/place-queries.js';
import { useRights } from '../../../app/use-place.js';
import { headingOf, isDecidedInPlace } from '../../approvals/approval.js';
import { VerdictButtons } from '../../approvals/decide/verdict-buttons.js';

/** Requests of a run that wait until a person lets them go: this one, where they may. */
export function AskingNotice({ run: { waitingApprovalIds: ids } }: { run: Pick<Run, 'waitingApprovalIds'> }) {
  const { edits } = useRights();
  const { data } = useQuery({ ...pendingRequestsQuery(), enabled: edits });
  const seen = data?.items.filter(({ id }) => ids.includes(id)) ?? [];
  const mine = seen.filter(isDecidedInPlace);
  return (
    <Alert
      color="orange"
      variant="light"
      icon={<IconHandStop aria-hidden />}
      title={
        ids.length === 1
          ? 'A request of this run waits for approval'
          : `${ids.length} requests of this run wait for approval`
      }
    >
      <Text size="sm" mb={seen.length > 0 ? 'xs' : 0}>
        The run goes on. What waits is sent when somebody approves it, within 15 minutes.
      </Text>
      {seen.map((request) => (
        <Text key={request.id} size="sm" className="user-text" mb="xs">
          <Anchor
            inherit
            underline="always"
            renderRoot={(props) => (
              <Link to="/approvals/$requestId" params={{ requestId: request.id }} {...props} />
            )}
          >
            {headingOf(request)}
          </Anchor>
        </Text>
      ))}
      {mine.length > 0 && <VerdictButtons requests={mine} withCount={mine.length > 1} />}
    </Alert>
  );
}
