import type { AppApprovalInput, AppDecision, AppRequest } from '@gatehouse/client/operations';
import { Button, Checkbox, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';

import { FormProblem } from '../../kit/form-problem.js';
import { useAct } from '../../kit/use-act.js';
import type { FamilyScope } from '../account/tokens/scope-words.js';
import { askedScopes, tickedAtFirst } from './asked-scopes.js';
import { AskingApp } from './asking-app.js';
import { ChooseScripts, type ScriptChoice } from './choose-scripts.js';

const EVERY = '';

interface Props {
  request: AppRequest;
  approve: (input: AppApprovalInput) => Promise<AppDecision>;
  deny: () => Promise<AppDecision>;
  onDecided: (decision: AppDecision, allowed: boolean) => void;
}

/** Where an app may act and what it may do there: less than it asks for, if the person likes. */
export function ConnectForm({ request, approve, deny, onDecided }: Props) {
  const { workspaces } = request;
  const [workspace, setWorkspace] = useState(workspaces[0]?.slug ?? '');
  const [environment, setEnvironment] = useState(EVERY);
  const [choice, setChoice] = useState<ScriptChoice>(null);
  const [scopes, setScopes] = useState<FamilyScope[]>(() => tickedAtFirst(request.scopes));
  const deciding = useAct(async (allowed: boolean) => {
    const decision = allowed
      ? await approve({
          workspace,
          scopes,
          environment: environment === EVERY ? null : environment,
          scripts: choice?.scripts.length ? choice.scripts : null,
          scriptTags: choice?.tags.length ? choice.tags : null,
        })
      : await deny();
    onDecided(decision, allowed);
  });
  const chosen = workspaces.find(({ slug }) => slug === workspace);
  const asked = askedScopes(request.scopes);
  const choosesNone = choice !== null && choice.scripts.length + choice.tags.length === 0;
  const possible = chosen !== undefined && scopes.length > 0 && !choosesNone;

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (possible) void deciding.run(true);
      }}
    >
      <Stack>
        <AskingApp request={request} />
        {chosen === undefined ? (
          <Text size="sm">
            You are in no workspace yet, so there is nothing that an app could do for you.
          </Text>
        ) : (
          <>
            <NativeSelect
              label="Workspace"
              description="It may act in this one only."
              data={workspaces.map(({ slug, name }) => ({ value: slug, label: name }))}
              value={workspace}
              onChange={({ currentTarget }) => {
                setWorkspace(currentTarget.value);
                setEnvironment(EVERY);
                setChoice(null);
              }}
            />
            <NativeSelect
              label="Environments"
              data={[
                { value: EVERY, label: 'Every environment' },
                ...chosen.environments.map((name) => ({ value: name, label: `Only ${name}` })),
              ]}
              value={environment}
              onChange={({ currentTarget }) => setEnvironment(currentTarget.value)}
            />
            <ChooseScripts workspace={workspace} value={choice} onChange={setChoice} />
          </>
        )}
        <Checkbox.Group
          label="What it may do"
          description="Never more than you may do yourself."
          value={scopes}
          onChange={(values) => setScopes(values as FamilyScope[])}
        >
          <Stack gap={6} mt="xs">
            {asked.map(({ scope, words }) => (
              <Checkbox key={scope} value={scope} label={words} title={scope} />
            ))}
          </Stack>
        </Checkbox.Group>
        {asked.length === 0 && <Text size="sm">It asks for nothing that there is here.</Text>}
        <FormProblem error={deciding.problem} />
        <Group gap="xs">
          <Button type="submit" disabled={!possible} loading={deciding.busy}>
            Allow
          </Button>
          <Button variant="default" disabled={deciding.busy} onClick={() => void deciding.run(false)}>
            Do not allow
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
