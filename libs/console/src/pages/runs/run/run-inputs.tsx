import type { Run } from '@gatehouse/client/operations';
import { Text } from '@mantine/core';

import { JsonTree } from '../../../kit/run-output/json-tree.js';

export function RunInputs({ run }: { run: Pick<Run, 'inputs'> }) {
  const inputs = run.inputs ?? {};
  if (Object.keys(inputs).length === 0) {
    return (
      <Text size="sm" c="dimmed">
        It was given no inputs.
      </Text>
    );
  }
  return <JsonTree value={inputs} label="Inputs" isBare />;
}
