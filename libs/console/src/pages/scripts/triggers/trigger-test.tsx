import { type Trigger, type TriggerTest as TestResult, triggersTest } from '@gatehouse/client/operations';
import { eventTypesListOptions } from '@gatehouse/client/react-query';
import { Alert, Button, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { CodeEditor } from '../../../kit/code-editor.js';
import { CodeView } from '../../../kit/code-view.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { useAct } from '../../../kit/use-act.js';

/** Says what an event would do with the trigger as it is saved; nothing is run. */
export function TriggerTest({ trigger }: { trigger: Trigger }) {
  const { data, error } = useQuery(eventTypesListOptions());
  const type = data?.items.find((candidate) => candidate.type === trigger.eventType);
  return (
    <Paper withBorder p="md" component="section" aria-label="What an event would do">
      <Stack gap="sm">
        <div>
          <Title order={3} fz="sm">
            What would this event do?
          </Title>
          <Text size="xs" c="dimmed">
            Tried with the trigger as it is saved. Nothing is run.
          </Text>
        </div>
        {type ? (
          <TryEvent key={trigger.id} trigger={trigger} example={type.example} />
        ) : error ? (
          <ProblemNotice error={error} />
        ) : (
          <Skeleton height={240} />
        )}
      </Stack>
    </Paper>
  );
}

function TryEvent({ trigger, example }: { trigger: Trigger; example: Record<string, unknown> }) {
  const [text, setText] = useState(() => JSON.stringify(example, null, 2));
  const [result, setResult] = useState<TestResult | null>(null);
  const { run, busy, problem } = useAct(async () => {
    setResult(null);
    const event = { type: trigger.eventType, data: parsed(text) };
    const { data } = await triggersTest({ path: { id: trigger.id }, body: { event } });
    setResult(data);
  });
  return (
    <>
      <CodeEditor value={text} onChange={setText} path="event.json" label="The event's data" height="18rem" />
      <Group>
        <Button variant="default" loading={busy} onClick={() => void run()}>
          Try it
        </Button>
      </Group>
      {problem !== null && <ProblemNotice error={problem} />}
      <div aria-live="polite">{result && <Result result={result} />}</div>
    </>
  );
}

function Result({ result: { fires, reason, inputs } }: { result: TestResult }) {
  const title = !fires
    ? 'It would not start a run'
    : reason === null
      ? 'It would start a run'
      : 'It would start a run, which would fail';
  return (
    <Stack gap="xs">
      <Alert color={fires && reason === null ? 'teal' : 'yellow'} variant="light" title={title}>
        {reason && (
          <Text size="sm" className="user-text">
            {reason}
          </Text>
        )}
      </Alert>
      {inputs && (
        <>
          <Text size="sm">With these inputs:</Text>
          <CodeView text={JSON.stringify(inputs, null, 2)} path="inputs.json" />
        </>
      )}
    </Stack>
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new Error(`The data is not JSON: ${error instanceof Error ? error.message : ''}`, { cause: error });
  }
}
