import type { Run } from '@gatehouse/client/operations';
import { Alert, Text } from '@mantine/core';
import IconEye from 'icon:eye';

/** What a plan is, for whoever takes it for a run. */
export function PlanNotice({ run }: { run: Run }) {
  return (
    <Alert color="blue" variant="light" icon={<IconEye aria-hidden />} title={titleOf(run)}>
      <Text size="sm">
        What only reads passes. All else is refused, and listed here once the run has ended. No event, trigger
        or statistic knows of it.
      </Text>
    </Alert>
  );
}

function titleOf({ phase }: Run): string {
  return phase === 'finished' ? 'Plan: nothing was sent' : 'Plan: nothing is sent';
}
