import type { Agent } from '@gatehouse/client/operations';
import { agentsListInfiniteOptions } from '@gatehouse/client/react-query';
import { Anchor, Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';

import { usePlace, useRights } from '../../app/use-place.js';
import { counted } from '../../kit/counted.js';
import { Empty } from '../../kit/empty.js';
import { type Column, Listing } from '../../kit/listing.js';
import { Moment } from '../../kit/moment.js';
import { Page } from '../../kit/page.js';
import { Status } from '../../kit/status.js';
import { usePages } from '../../kit/use-pages.js';
import { NewAgent } from './new-agent.js';

export function AgentListPage() {
  const place = usePlace();
  const { edits } = useRights();
  const [isMaking, setMaking] = useState(false);
  const query = usePages({ ...agentsListInfiniteOptions({ query: { limit: 25 } }), enabled: edits });
  const columns = useMemo(
    (): Column<Agent>[] => [
      {
        id: 'agent',
        header: 'Agent',
        cell: ({ slug, name }) => (
          <>
            <Anchor
              fw={600}
              size="sm"
              className="user-text"
              renderRoot={(props) => (
                <Link
                  to="/w/$workspace/$environment/agents/$agent"
                  params={{ ...place, agent: slug }}
                  {...props}
                />
              )}
            >
              {name}
            </Anchor>
            <Text size="sm" c="dimmed">
              {slug}
            </Text>
          </>
        ),
      },
      {
        id: 'scripts',
        header: 'Scripts',
        cell: ({ scripts }) => (scripts.length === 0 ? 'none' : counted(scripts.length, 'script')),
      },
      {
        id: 'state',
        header: 'State',
        cell: ({ enabled }) => <Status status={enabled ? 'enabled' : 'disabled'} />,
      },
      {
        id: 'updated',
        header: 'Changed',
        align: 'right',
        wideOnly: true,
        cell: ({ updatedAt }) => <Moment at={updatedAt} />,
      },
    ],
    [place],
  );
  if (!edits) {
    return <Empty title="Agents are not open to you">Members of this workspace make and ask them.</Empty>;
  }
  return (
    <Page
      title="Agents"
      description="Language models that answer you and run the scripts that you choose for them, under the approval rules for agents."
      actions={
        <>
          <Button
            variant="default"
            renderRoot={(props) => (
              <Link to="/w/$workspace/$environment/connect-agent" params={place} {...props} />
            )}
          >
            Connect an agent
          </Button>
          <Button onClick={() => setMaking(true)}>New agent</Button>
        </>
      }
    >
      <Listing
        label="Agents"
        query={query}
        columns={columns}
        empty={
          <Empty title="No agent yet">
            Make one, tell it what it is for, and choose the scripts that it may run.
          </Empty>
        }
      />
      <NewAgent opened={isMaking} onClose={() => setMaking(false)} />
    </Page>
  );
}
