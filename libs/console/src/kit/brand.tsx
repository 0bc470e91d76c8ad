import { Text } from '@mantine/core';

import { basePath } from '../api/base.js';

export function Brand() {
  return (
    <div style={{ display: 'flex', alignItems: 'center', gap: 8 }}>
      <img src={`${basePath}/favicon.svg`} alt="" width={20} height={20} />
      <Text fw={600}>Gatehouse</Text>
    </div>
  );
}
