import type { Run } from '@gatehouse/client/operations';
import { approvalsGetOptions } from '@gatehouse/client/react-query';
import { Alert, Anchor, Text } from '@mantine/core';
import IconHandStop from 'icon:hand-stop';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';

import { useRights } from '../../../app/use-place.js';
import { isDecidedInPlace } from '../../approvals/approval.js';
import { VerdictButtons } from '../../approvals/decide/verdict-buttons.js';

/** A run that a person has to let go: this one, where they may. */
export function HeldNotice({ run }: { run: Pick<Run, 'approvalRequestId'> }) {
  const request = useOwnDecision(run.approvalRequestId);
  return (
    <Alert
      color="orange"
      variant="light"
      icon={<IconHandStop aria-hidden />}
      title="This run waits for approval"
    >
      <Text size="sm" mb={request ? 'xs' : 0}>
        It begins when somebody approves it; you need not wait here.{' '}
        {run.approvalRequestId !== null && (
          <Anchor
            inherit
            underline="always"
            renderRoot={(props) => (
              <Link to="/approvals/$requestId" params={{ requestId: run.approvalRequestId! }} {...props} />
            )}
          >
            See the request
          </Anchor>
        )}
      </Text>
      {request && <VerdictButtons requests={[request]} />}
    </Alert>
  );
}

/** The request, where the person who looks may decide it. */
function useOwnDecision(id: string | null) {
  const { edits } = useRights();
  const { data } = useQuery({
    ...approvalsGetOptions({ path: { id: id ?? '' } }),
    enabled: edits && id !== null,
    retry: false,
  });
  return data && isDecidedInPlace(data) ? data : null;
}
