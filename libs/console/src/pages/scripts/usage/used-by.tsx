import { Anchor, Code, Group, List, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { usePlace, useRights } from '../../../app/use-place.js';
import { counted } from '../../../kit/counted.js';
import { Status } from '../../../kit/status.js';
import { cronAloud } from '../schedules/cron-aloud.js';
import { useScript } from '../script-context.js';

const SCRIPT = '/w/$workspace/$environment/scripts/$slug';

export function UsedBy() {
  const { slug, usedBy } = useScript();
  const place = usePlace();
  const { edits } = useRights();
  const params = { ...place, slug };
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
      <Part title="People" none="Nobody ran it in the last 30 days.">
        {usedBy.people.map(({ userId, name, runs }) => (
          <List.Item key={userId}>
            <span className="user-text">{name}</span>{' '}
            <Text span size="sm" c="dimmed">
              {counted(runs, 'run')}
            </Text>
          </List.Item>
        ))}
      </Part>
      {edits && (
        <Part title="Schedules" none="No schedule runs it.">
          {usedBy.schedules.map(({ id, name, cron, enabled }) => (
            <List.Item key={id}>
              <Named
                name={name}
                enabled={enabled}
                link={{ to: `${SCRIPT}/schedules/$scheduleId`, params: { ...params, scheduleId: id } }}
              />
              <Text size="sm" c="dimmed">
                {cronAloud(cron) ?? cron}
              </Text>
            </List.Item>
          ))}
        </Part>
      )}
      {edits && (
        <Part title="Triggers" none="No event starts it.">
          {usedBy.triggers.map(({ id, name, eventType, enabled }) => (
            <List.Item key={id}>
              <Named
                name={name}
                enabled={enabled}
                link={{ to: `${SCRIPT}/triggers/$triggerId`, params: { ...params, triggerId: id } }}
              />
              <Text size="sm" c="dimmed">
                on <Code>{eventType}</Code>
              </Text>
            </List.Item>
          ))}
        </Part>
      )}
      {edits && (
        <Part title="Hooks" none="No request from elsewhere starts it.">
          {usedBy.hooks.map(({ id, name, scheme, enabled }) => (
            <List.Item key={id}>
              <Named
                name={name}
                enabled={enabled}
                link={{ to: `${SCRIPT}/hooks/$hookId`, params: { ...params, hookId: id } }}
              />
              <Text size="sm" c="dimmed">
                verified as <Code>{scheme}</Code>
              </Text>
            </List.Item>
          ))}
        </Part>
      )}
      <Part title="Followed by" none="No other script is started by its runs.">
        {usedBy.followedBy.map(({ script, trigger }) => (
          <List.Item key={trigger.id}>
            <Named name={script.name} link={{ to: SCRIPT, params: { ...place, slug: script.slug } }} />
            <Text size="sm" c="dimmed" className="user-text">
              by {trigger.name}, on <Code>{trigger.eventType}</Code>
            </Text>
          </List.Item>
        ))}
      </Part>
    </SimpleGrid>
  );
}

function Part({ title, none, children }: { title: string; none: string; children: ReactNode[] }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Stack gap="xs">
        <Title order={2} fz="sm">
          {title}
        </Title>
        {children.length === 0 ? (
          <Text size="sm" c="dimmed">
            {none}
          </Text>
        ) : (
          <List size="sm" spacing="xs" listStyleType="none">
            {children}
          </List>
        )}
      </Stack>
    </Paper>
  );
}

function Named({ name, enabled, link }: { name: string; enabled?: boolean; link: LinkProps }) {
  return (
    <Group gap="xs" component="span">
      <Anchor size="sm" className="user-text" renderRoot={(props) => <Link {...link} {...props} />}>
        {name}
      </Anchor>
      {enabled === false && <Status status="disabled" />}
    </Group>
  );
}
