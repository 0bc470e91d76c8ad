import { agentSettingsChange } from '@gatehouse/client/operations';
import { agentSettingsGetOptions, agentSettingsUsageOptions } from '@gatehouse/client/react-query';
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { useRights } from '../../../app/use-place.js';
import { AgentUsageText, BudgetFields } from '../../../kit/budget-fields.js';
import { problemAt, FormProblem } from '../../../kit/form-problem.js';
import { notifyDone } from '../../../kit/notify.js';
import { useAct } from '../../../kit/use-act.js';
import { useRefresh } from '../../../kit/use-refresh.js';

/** What one's own agents have used, and what each member's may; owners change it. */
export function MemberBudget() {
  const { isOwner } = useRights();
  const usage = useQuery(agentSettingsUsageOptions());
  const settings = useQuery(agentSettingsGetOptions());
  return (
    <Stack gap="xs" maw={640} mt="xl">
      <Title order={2} size="h4">
        Your agents
      </Title>
      <Text size="sm" c="dimmed">
        Runs that apps and agents start for you, and what you ask agents.
      </Text>
      {usage.data && <AgentUsageText usage={usage.data} />}
      {isOwner && settings.data && <BudgetForm before={settings.data.memberBudget} />}
    </Stack>
  );
}

function BudgetForm({ before }: { before: Parameters<typeof BudgetFields>[0]['value'] }) {
  const [memberBudget, setBudget] = useState(before);
  const refresh = useRefresh();
  const { run, busy, problem } = useAct(async () => {
    await agentSettingsChange({ body: { memberBudget } });
    await refresh('agentSettingsGet', 'agentSettingsUsage');
    notifyDone("The budget of members' agents is saved.");
  });
  return (
    <>
      <BudgetFields
        label="What each member's agents may use"
        value={memberBudget}
        onChange={setBudget}
        error={problemAt(problem, 'memberBudget')}
      />
      <FormProblem error={problem} fields={['memberBudget']} />
      <Group>
        <Button loading={busy} onClick={() => void run()}>
          Save
        </Button>
      </Group>
    </>
  );
}
