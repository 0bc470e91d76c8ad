import { Alert, Anchor, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';

import { isProblem } from '../../../api/problem.js';
import { usePlace } from '../../../app/use-place.js';
import { RunForm } from '../../../kit/run-form.js';
import type { Draft } from './draft.js';
import { draftSchema } from './draft-schema.js';
import { MakingProblem } from './making-problem.js';
import { StepWords } from './step-words.js';
import { TestResult } from './test-result.js';
import type { TestRun } from './use-test-run.js';

interface TestPanelProps {
  draft: Draft;
  test: TestRun;
  /** Why it cannot be tested yet. */
  blocked: string | null;
}

/** A run of the draft as it stands, beside the editor. */
export function TestPanel({ draft, test, blocked }: TestPanelProps) {
  const { inputSchema, command } = draft.settings;
  const schema = useMemo(() => draftSchema({ inputSchema, command }), [inputSchema, command]);
  const [inputs, setInputs] = useState<Record<string, unknown>>({});
  const { step, problem, runId, run, version } = test;
  const busy = step !== null;
  const isAboutInputs =
    isProblem(problem) &&
    problem.details.length > 0 &&
    problem.details.every(({ path }) => path.startsWith('inputs'));

  return (
    <Paper withBorder p="md" component="section" aria-labelledby="test-run">
      <Stack gap="sm">
        <Title order={2} id="test-run">
          Test run
        </Title>
        {schema instanceof Error ? (
          <Alert color="yellow" variant="light" title="The form cannot be made yet">
            <Text size="sm">
              {inputSchema.trim() === '' ? 'The command' : 'The input schema'}: {schema.message}
            </Text>
          </Alert>
        ) : (
          <RunForm
            schema={schema}
            inputs={inputs}
            onInputs={setInputs}
            problem={isAboutInputs ? problem : null}
            busy={busy}
            submitLabel="Test"
            onSubmit={(wanted) => {
              if (!busy && !blocked) void test.begin(draft, wanted);
            }}
          />
        )}
        {blocked && (
          <Text size="sm" c="dimmed">
            {blocked}
          </Text>
        )}
        {busy && runId === null && <StepWords words={step} />}
        {problem !== null && !isAboutInputs && <MakingProblem error={problem} />}
        {runId !== null && <TestResult key={runId} runId={runId} run={run} version={version} />}
        {runId === null && !busy && problem === null && !blocked && (
          <Text size="sm" c="dimmed">
            A test (Ctrl Enter) makes a version of what you have now, and runs it. Nobody else uses it before
            it is published.
          </Text>
        )}
        {runId !== null && (
          <Group>
            <RunLink runId={runId} />
          </Group>
        )}
      </Stack>
    </Paper>
  );
}

function RunLink({ runId }: { runId: string }) {
  const place = usePlace();
  return (
    <Anchor
      size="sm"
      renderRoot={(props) => (
        <Link to="/w/$workspace/$environment/runs/$runId" params={{ ...place, runId }} {...props} />
      )}
    >
      Open this run
    </Anchor>
  );
}
