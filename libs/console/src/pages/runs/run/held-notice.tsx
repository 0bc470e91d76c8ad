import type { Run } from '@gatehouse/client/operations';
import { Alert, Anchor, Text } from '@mantine/core';
import IconHandStop from 'icon:hand-stop';
import { Link } from '@tanstack/react-router';

/** A run that a person has to let go. */
export function HeldNotice({ run }: { run: Pick<Run, 'approvalRequestId'> }) {
  return (
    <Alert
      color="orange"
      variant="light"
      icon={<IconHandStop aria-hidden />}
      title="This run waits for approval"
    >
      <Text size="sm">
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
    </Alert>
  );
}
