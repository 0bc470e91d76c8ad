import { agentsGetOptions, agentsUsageOptions } from '@gatehouse/client/react-query';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';

import { AuditLink } from '../../app/audit-link.js';
import { usePlace } from '../../app/use-place.js';
import { AgentUsageText } from '../../kit/budget-fields.js';
import { Empty } from '../../kit/empty.js';
import { Page } from '../../kit/page.js';
import { ProblemNotice } from '../../kit/problem-notice.js';
import { AgentActions } from './agent-actions.js';
import { Chat } from './chat/chat.js';

const LIST = '/w/$workspace/$environment/agents';

export function AgentPage() {
  const { agent: slug } = useParams({ from: `${LIST}/$agent` });
  const place = usePlace();
  const { data: agent, isPending, error, refetch } = useQuery(agentsGetOptions({ path: { agent: slug } }));
  return (
    <Page
      title={agent?.name ?? slug}
      description={agent && scriptsText(agent.scripts)}
      crumbs={[{ label: 'Agents', link: { to: LIST, params: place } }]}
      actions={
        agent && (
          <>
            <AgentActions agent={agent} />
            <AuditLink target={agent.id} />
          </>
        )
      }
    >
      {isPending && <Skeleton height={240} aria-hidden />}
      {error && <ProblemNotice error={error} onRetry={refetch} />}
      {agent?.enabled === false && (
        <Empty title="This agent answers no messages">Edit it to let it answer again.</Empty>
      )}
      {agent && <UsedByAgent slug={agent.slug} />}
      {agent?.enabled && <Chat key={agent.id} agent={agent} />}
    </Page>
  );
}

function UsedByAgent({ slug }: { slug: string }) {
  const { data } = useQuery(agentsUsageOptions({ path: { agent: slug } }));
  return data ? <AgentUsageText usage={data} /> : null;
}

function scriptsText(scripts: readonly string[]): string {
  return scripts.length === 0 ? 'It runs no scripts.' : `It may run ${scripts.join(', ')}.`;
}
