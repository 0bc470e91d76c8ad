import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';

import { isProblem } from '../../../api/problem.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { useAct } from '../../../kit/use-act.js';
import { EnvironmentSelect } from '../environment-select.js';
import { useUnsaved } from '../use-unsaved.js';

/** What the fields of one kind need. */
export interface AutomationFields<Draft> {
  draft: Draft;
  change: (fields: Partial<Draft>) => void;
  /** What is wrong at a path of what was sent. */
  errorAt: (path: string) => string | undefined;
}

interface AutomationFormProps<Draft> {
  draft: Draft;
  saveLabel: string;
  /** May return what to do once nothing typed can be lost any more. */
  onSave: (draft: Draft) => Promise<(() => void) | void>;
  /** What the environment decides. */
  environmentDescription: string;
  fields: (fields: AutomationFields<Draft>) => ReactNode;
  /** Stands beside the button of what exists already; calls `release` before it leaves, when nothing typed counts any more. */
  children?: (release: () => void) => ReactNode;
}

/** The form of a trigger or a hook, around what only one of them has. */
export function AutomationForm<Draft extends { name: string; environment: string }>({
  draft: first,
  saveLabel,
  onSave,
  environmentDescription,
  fields,
  children,
}: AutomationFormProps<Draft>) {
  const [draft, setDraft] = useState(first);
  const unsaved = useUnsaved();
  const { run, busy, problem } = useAct(async () => {
    const next = await onSave(draft);
    unsaved.release();
    next?.();
  });
  const change = (changed: Partial<Draft>): void => {
    unsaved.touch();
    setDraft((before) => ({ ...before, ...changed }));
  };
  const rename = (name: string): void => change({ name } as Partial<Draft>);
  const move = (environment: string): void => change({ environment } as Partial<Draft>);
  const errorAt = (path: string): string | undefined => (isProblem(problem) ? problem.at(path) : undefined);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void run();
  };

  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Name"
          description="What it is for, as lists and runs show it"
          required
          value={draft.name}
          onChange={(event) => rename(event.currentTarget.value)}
          error={errorAt('name')}
        />
        {fields({ draft, change, errorAt })}
        <EnvironmentSelect
          description={environmentDescription}
          value={draft.environment}
          onChange={move}
          error={errorAt('environment')}
        />
        {problem !== null && <ProblemNotice error={problem} />}
        <Group gap="xs">
          <Button type="submit" loading={busy}>
            {saveLabel}
          </Button>
          {children?.(unsaved.release)}
          {children && unsaved.isTouched && (
            <Text size="sm" c="dimmed">
              Not saved yet
            </Text>
          )}
        </Group>
      </Stack>
      {unsaved.dialog}
    </form>
  );
}
