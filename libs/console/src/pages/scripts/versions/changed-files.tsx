import { Accordion, Badge, Group, Text } from '@mantine/core';
import { useState } from 'react';

import type { FileChange } from '../../../kit/archive/version-files.js';
import { FileDifference } from '../../../kit/file-difference.js';

/** As many are open at first; more would be read only to be passed over. */
const OPEN_AT_FIRST = 3;

export function ChangedFiles({ changes }: { changes: FileChange[] }) {
  const [open, setOpen] = useState(() =>
    changes.length <= OPEN_AT_FIRST ? changes.map(({ path }) => path) : [],
  );
  return (
    <Accordion multiple value={open} onChange={setOpen} variant="contained" order={4}>
      {changes.map((change) => (
        <Accordion.Item key={change.path} value={change.path}>
          <Accordion.Control>
            <Group gap="xs">
              <Text size="sm" className="user-text">
                {change.path}
              </Text>
              <Badge variant="default" size="sm" tt="none" fw={500} radius="sm">
                {change.kind}
              </Badge>
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            {open.includes(change.path) && <FileDifference change={change} />}
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}
