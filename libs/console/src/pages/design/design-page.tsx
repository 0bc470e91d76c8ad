import '../../app/all-styles.js';

import { Box, Container, Group, SegmentedControl, Stack, Text, useMantineColorScheme } from '@mantine/core';

import { Page } from '../../kit/page.js';
import { Section } from '../../kit/section.js';
import { STATUSES, Status } from '../../kit/status.js';
import { Acts } from './acts.js';
import { Charts } from './charts.js';
import { Notices } from './notices.js';
import { Rows } from './rows.js';

const SCHEMES = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

/** What pages are built from, in all its states: tokens, words of states, acts, notices, lists, charts. */
export function DesignPage() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Container size="lg" py="lg" component="main">
      <Page
        title="Design"
        description="What pages are built from. Names of parts are those of their files in src/kit."
        actions={
          <SegmentedControl
            aria-label="Colours"
            data={SCHEMES}
            value={colorScheme === 'dark' ? 'dark' : 'light'}
            onChange={(scheme) => setColorScheme(scheme as 'light' | 'dark')}
          />
        }
      >
        <Stack gap="xl">
          <Colours />
          <Letters />
          <Section
            title="States"
            description="Status: a dot and a word. Only what is wrong has a colour of its own in words."
          >
            <Group gap="lg">
              {STATUSES.map((status) => (
                <Status key={status} status={status} />
              ))}
            </Group>
          </Section>
          <Acts />
          <Notices />
          <Rows />
          <Charts />
        </Stack>
      </Page>
    </Container>
  );
}

const COLOURS = [
  ['--frame', 'what frames a page'],
  ['--mantine-color-body', 'the page'],
  ['--frame-current', 'where one is'],
  ['--mantine-color-default', 'what lies on it'],
  ['--mantine-color-default-border', 'lines'],
  ['--mantine-color-text', 'words'],
  ['--mantine-color-dimmed', 'what stands beside them'],
  ['--mantine-primary-color-filled', 'the accent: the one act of a page'],
  ['--mantine-color-anchor', 'links'],
  ['--mantine-color-error', 'what is wrong'],
] as const;

function Colours() {
  return (
    <Section title="Colours" description="Variables, each in light and dark (app/theme.ts).">
      <Group gap="md" align="flex-start">
        {COLOURS.map(([name, use]) => (
          <Stack key={name} gap={4} w={168}>
            <Box
              h={48}
              bg={`var(${name})`}
              style={{ border: '1px solid var(--mantine-color-default-border)', borderRadius: 4 }}
            />
            <Text size="xs" ff="monospace">
              {name.replace('--mantine-', '')}
            </Text>
            <Text size="xs" c="dimmed">
              {use}
            </Text>
          </Stack>
        ))}
      </Group>
    </Section>
  );
}

const LETTERS = [
  ['Plain', { size: 'sm' }],
  ['Plain, beside what matters', { size: 'sm', c: 'dimmed' }],
  ['Small', { size: 'xs' }],
  ['Links and acts', { size: 'sm', fw: 500 }],
  ['Names and titles', { size: 'sm', fw: 600 }],
  ['Of machines: POSTMARK_TOKEN, 0 8 * * *', { size: 'sm', ff: 'monospace' }],
] as const;

function Letters() {
  return (
    <Section title="Letters" description="Inter, in the weights 400, 500 and 600. Space is in steps of 8 px.">
      <Stack gap="xs">
        {LETTERS.map(([text, props]) => (
          <Text key={text} {...props}>
            {text}
          </Text>
        ))}
      </Stack>
    </Section>
  );
}
