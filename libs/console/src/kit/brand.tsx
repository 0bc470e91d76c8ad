import { Group, Text } from '@mantine/core';

import { basePath } from '../api/base.js';

export function Brand() {
  return (
    <Group gap={8} wrap="nowrap">
      <img src={`${basePath}/favicon.svg`} alt="" width={20} height={20} />
      <Text fw={700}>Gatehouse</Text>
    </Group>
  );
}
