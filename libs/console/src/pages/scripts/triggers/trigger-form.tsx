import { eventTypesListOptions } from '@gatehouse/client/react-query';
import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';

import { isProblem } from '../../../api/problem.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { useAct } from '../../../kit/use-act.js';
import { EnvironmentSelect } from '../environment-select.js';
import { useScript } from '../script-context.js';
import { useUnsaved } from '../use-unsaved.js';
import { FilterRows } from './filter-rows.js';
import { InputFields } from './input-fields.js';
import { pathsOf } from './template-text.js';
import { type TriggerDraft, type TriggerFields, fieldsOf } from './trigger-draft.js';

interface TriggerFormProps {
  draft: TriggerDraft;
  /** An existing trigger keeps its type of event. */
  isNew?: boolean;
  saveLabel: string;
  onSave: (fields: TriggerFields & { eventType: string }) => Promise<(() => void) | void>;
  /** Stands beside the button; calls `release` before it leaves, when nothing typed counts any more. */
  children?: (release: () => void) => ReactNode;
}

/** `onSave` may return what to do once nothing typed can be lost any more. */
export function TriggerForm({ draft: first, isNew, saveLabel, onSave, children }: TriggerFormProps) {
  const { inputSchema } = useScript();
  const [draft, setDraft] = useState(first);
  const unsaved = useUnsaved();
  const { data } = useQuery(eventTypesListOptions());
  const type = data?.items.find((candidate) => candidate.type === draft.eventType);
  const paths = pathsOf(type?.example);
  const { run, busy, problem } = useAct(async () => {
    const next = await onSave({ ...fieldsOf(draft, inputSchema), eventType: draft.eventType });
    unsaved.release();
    next?.();
  });
  const change = (fields: Partial<TriggerDraft>): void => {
    unsaved.touch();
    setDraft((before) => ({ ...before, ...fields }));
  };
  const wrong = (path: string): string | undefined => (isProblem(problem) ? problem.at(path) : undefined);
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
          onChange={(event) => change({ name: event.currentTarget.value })}
          error={wrong('name')}
        />
        <Select
          label="When this happens"
          description={
            isNew ? 'An event of this workspace' : 'The type of event of a trigger stays the same.'
          }
          required
          searchable
          readOnly={!isNew}
          data={(data?.items ?? []).map((candidate) => candidate.type)}
          value={draft.eventType || null}
          onChange={(eventType) => change({ eventType: eventType ?? '' })}
          error={wrong('eventType')}
        />
        {type && (
          <Text size="sm" c="dimmed" mt={-8}>
            {type.description}
          </Text>
        )}
        <FilterRows
          rows={draft.filter}
          paths={paths}
          onChange={(filter) => change({ filter })}
          errorAt={wrong}
        />
        <InputFields
          inputs={draft.inputs}
          paths={paths}
          onChange={(inputs) => change({ inputs })}
          errorAt={wrong}
        />
        <EnvironmentSelect
          description="Whose events it gets, besides those of the whole workspace, and where its runs are"
          value={draft.environment}
          onChange={(environment) => change({ environment })}
          error={wrong('environment')}
        />
        {problem !== null && <ProblemNotice error={problem} />}
        <Group gap="xs">
          <Button type="submit" loading={busy}>
            {saveLabel}
          </Button>
          {children?.(unsaved.release)}
          {!isNew && unsaved.isTouched && (
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
