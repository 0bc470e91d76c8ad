import { ActionIcon, Button, Group, Menu } from '@mantine/core';
import IconPlayerPlay from 'icon:player-play';
import IconRefresh from 'icon:refresh';

import { CopyButton } from '../../kit/copy-button.js';
import { DestroyButton } from '../../kit/destroy-button.js';
import { RowMenu } from '../../kit/row-menu.js';
import { Section } from '../../kit/section.js';

const nothing = (): void => undefined;

export function Acts() {
  return (
    <Section
      title="Acts"
      description="One filled button a page. What destroys is asked about (confirmDestruction), and never filled."
    >
      <Group>
        <Button leftSection={<IconPlayerPlay size={16} aria-hidden />}>Run</Button>
        <Button variant="default">Export</Button>
        <Button variant="default" disabled>
          Cannot now
        </Button>
        <Button loading>Run</Button>
        <Button size="xs" variant="default">
          In a bar
        </Button>
        <DestroyButton onClick={nothing}>Archive</DestroyButton>
        <DestroyButton quiet onClick={nothing}>
          Revoke
        </DestroyButton>
        <ActionIcon variant="default" size="lg" aria-label="Read again">
          <IconRefresh size={18} aria-hidden />
        </ActionIcon>
        <CopyButton value="run_01m8" label="Copy the id" />
        <RowMenu label="Actions for production">
          <Menu.Item>Edit</Menu.Item>
          <Menu.Item c="var(--mantine-color-error)">Delete</Menu.Item>
        </RowMenu>
      </Group>
    </Section>
  );
}
