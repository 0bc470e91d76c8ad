import { Alert, Stack, Text } from '@mantine/core';

import { Attempts } from '../deliveries/attempts.js';

export interface Tested {
  deliveryId: string;
  ok: boolean;
}

export interface TestOutcomeProps {
  endpointId: string;
  tested: Tested;
  onClose: () => void;
}

/** What came of a test that was just sent. */
export function TestOutcome({ endpointId, tested: { deliveryId, ok }, onClose }: TestOutcomeProps) {
  return (
    <Alert
      color={ok ? 'teal' : 'red'}
      variant="light"
      role="status"
      title={ok ? 'The test arrived' : 'The test was not accepted'}
      withCloseButton
      closeButtonLabel="Close"
      onClose={onClose}
    >
      <Stack gap="xs">
        {!ok && <Text size="sm">A receiver accepts a delivery by a status of 200 to 299.</Text>}
        <Attempts endpointId={endpointId} deliveryId={deliveryId} />
      </Stack>
    </Alert>
  );
}
