import { Button, Popover, Stack, Tabs, Text } from '@mantine/core';
import IconTerminal2 from 'icon:terminal-2';

import { Command } from '../../../kit/command.js';
import { type RunRequest, cliCommand, curlCommand, javascriptCall } from './commands.js';

const WAYS: { value: string; label: string; text: (request: RunRequest) => string }[] = [
  { value: 'curl', label: 'curl', text: curlCommand },
  { value: 'cli', label: 'CLI', text: cliCommand },
  { value: 'javascript', label: 'JavaScript', text: javascriptCall },
];

/** The same run from elsewhere. `request` is called when it is opened, with what the form holds then. */
export function CommandsPopover({ request }: { request: () => RunRequest }) {
  return (
    <Popover width={520} position="bottom-start" shadow="md" trapFocus keepMounted={false}>
      <Popover.Target>
        <Button variant="default" leftSection={<IconTerminal2 size={16} aria-hidden />}>
          Run from elsewhere
        </Button>
      </Popover.Target>
      <Popover.Dropdown maw="calc(100vw - 24px)" aria-label="Run from elsewhere">
        <Commands request={request()} />
      </Popover.Dropdown>
    </Popover>
  );
}

function Commands({ request }: { request: RunRequest }) {
  return (
    <Tabs defaultValue="curl">
      <Tabs.List>
        {WAYS.map(({ value, label }) => (
          <Tabs.Tab key={value} value={value}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {WAYS.map(({ value, label, text }) => (
        <Tabs.Panel key={value} value={value} pt="sm">
          <Stack gap="xs" align="flex-start">
            <Command label={`As ${label}`} copyLabel={`Copy as ${label}`} text={text(request)} />
            <Text size="xs" c="dimmed">
              <code>GATEHOUSE_TOKEN</code> is a personal access token of yours, or an API key of the
              workspace.
            </Text>
          </Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
