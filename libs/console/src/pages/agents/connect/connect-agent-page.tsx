import { connectedAppsListOptions, scriptsListOptions } from '@gatehouse/client/react-query';
import { Anchor, Button, Group, Skeleton, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';

import { basePath } from '../../../api/base.js';
import { usePlace } from '../../../app/use-place.js';
import { Command } from '../../../kit/command.js';
import { Moment } from '../../../kit/moment.js';
import { Page } from '../../../kit/page.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { Section } from '../../../kit/section.js';
import { type Way, waysTo } from './ways.js';

const SOME = 5;
/** An app connects elsewhere, and no event of the workspace tells of it. */
const LOOK_EVERY_MS = 5_000;

/** How an agent of one's own, in an app that speaks MCP, gets to run scripts. */
export function ConnectAgentPage() {
  const place = usePlace();
  const ways = waysTo(`${location.origin}${basePath}/mcp`, place.workspace);
  return (
    <Page
      title="Connect an agent"
      description="An app that speaks MCP uses scripts as tools. It acts as you, within what you grant it, and the approval rules for agents hold what it starts."
      crumbs={[{ label: 'Agents', link: { to: '/w/$workspace/$environment/agents', params: place } }]}
    >
      <Stack gap="xl" maw={760}>
        <Tabs defaultValue={ways[0]!.id} keepMounted={false}>
          <Tabs.List>
            {ways.map(({ id, app }) => (
              <Tabs.Tab key={id} value={id}>
                {app}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {ways.map((way) => (
            <Tabs.Panel key={way.id} value={way.id} pt="md">
              <Steps way={way} />
            </Tabs.Panel>
          ))}
        </Tabs>
        <Scripts />
        <Apps />
      </Stack>
    </Page>
  );
}

function Steps({ way: { app, step, text, link, then } }: { way: Way }) {
  return (
    <Stack gap="sm">
      {link && (
        <Group gap="sm">
          <Button component="a" href={link}>
            Add to {app}
          </Button>
          <Text size="sm" c="dimmed">
            or by hand:
          </Text>
        </Group>
      )}
      <Text size="sm">{step}</Text>
      <Command label={`For ${app}`} copyLabel={`Copy for ${app}`} text={text} />
      <Text size="sm" c="dimmed">
        {then}
      </Text>
    </Stack>
  );
}

function Scripts() {
  const place = usePlace();
  const { data, error, refetch } = useQuery(
    scriptsListOptions({ query: { status: 'published', limit: SOME } }),
  );
  return (
    <Section
      title="On offer"
      description="Published scripts that you may use. You choose all or some of them when an app asks."
      actions={
        <Anchor
          size="sm"
          renderRoot={(props) => <Link to="/w/$workspace/$environment/scripts" params={place} {...props} />}
        >
          All scripts
        </Anchor>
      }
    >
      {error ? (
        <ProblemNotice error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton height={60} />
      ) : data.items.length === 0 ? (
        <Text size="sm">No script is published yet.</Text>
      ) : (
        <Text size="sm" className="user-text">
          {data.items.map(({ name }) => name).join(', ')}
          {data.nextCursor !== null && ' and more'}
        </Text>
      )}
    </Section>
  );
}

function Apps() {
  const { workspace } = usePlace();
  const { data, error, refetch } = useQuery({
    ...connectedAppsListOptions({ query: { limit: 100 } }),
    refetchInterval: LOOK_EVERY_MS,
  });
  const apps = data?.items.filter((app) => app.workspace.slug === workspace);
  return (
    <Section
      title="Connected"
      description="Apps of yours in this workspace. One shows here as soon as it has signed in."
      actions={
        <Anchor size="sm" renderRoot={(props) => <Link to="/account" {...props} />}>
          Your account
        </Anchor>
      }
    >
      {error ? (
        <ProblemNotice error={error} onRetry={refetch} />
      ) : !apps ? (
        <Skeleton height={60} />
      ) : apps.length === 0 ? (
        <Text size="sm">None yet.</Text>
      ) : (
        apps.map(({ id, name, lastUsedAt }) => (
          <Group key={id} justify="space-between" gap="sm">
            <Text size="sm" fw={600} className="user-text">
              {name}
            </Text>
            <Text size="sm" c="dimmed">
              {lastUsedAt === null ? 'never used' : <Moment at={lastUsedAt} />}
            </Text>
          </Group>
        ))
      )}
    </Section>
  );
}
