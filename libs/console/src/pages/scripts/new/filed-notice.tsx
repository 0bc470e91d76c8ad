import { Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';

import { Page } from '../../../kit/page.js';
import type { Draft } from './draft.js';

interface FiledNoticeProps {
  draft: Draft;
  version: number;
  requestId: string;
  onLeave: () => void;
}

/** Publishing takes a second person here, who has been asked. */
export function FiledNotice({ draft, version, requestId, onLeave }: FiledNoticeProps) {
  return (
    <Page title="Waits for a second person">
      <Stack align="flex-start">
        <Text maw={560}>
          Version {version} of <b className="user-text">{draft.name}</b> is made. In this workspace an owner
          or admin other than you approves before it is published. They have been asked.
        </Text>
        <Group gap="xs">
          <Button
            renderRoot={(props) => <Link to="/approvals/$requestId" params={{ requestId }} {...props} />}
          >
            Open the request
          </Button>
          <Button variant="default" onClick={onLeave}>
            To the script
          </Button>
        </Group>
      </Stack>
    </Page>
  );
}
