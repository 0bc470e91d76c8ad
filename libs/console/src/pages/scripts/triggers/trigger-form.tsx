import { eventTypesListOptions } from '@gatehouse/client/react-query';
import { Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { AutomationForm, type AutomationFields } from '../automations/automation-form.js';
import { useScript } from '../script-context.js';
import { FilterRows } from './filter-rows.js';
import { InputFields } from './input-fields.js';
import { pathsOf } from './template-text.js';
import { type TriggerDraft, type TriggerFields, fieldsOf } from './trigger-draft.js';

interface TriggerFormProps {
  draft: TriggerDraft;
  /** An existing trigger keeps its type of event. */
  isNew?: boolean;
  saveLabel: string;
  /** As of `AutomationForm`. */
  onSave: (fields: TriggerFields & { eventType: string }) => Promise<(() => void) | void>;
  children?: (release: () => void) => ReactNode;
}

export function TriggerForm({ isNew, onSave, ...form }: TriggerFormProps) {
  const { inputSchema } = useScript();
  return (
    <AutomationForm
      {...form}
      onSave={(draft) => onSave({ ...fieldsOf(draft, inputSchema), eventType: draft.eventType })}
      environmentDescription="Whose events it gets, besides those of the whole workspace, and where its runs are"
      fields={(fields) => <EventFields {...fields} isNew={isNew} />}
    />
  );
}

/** Which event, which of them, and what the run takes from it. */
function EventFields({
  draft,
  change,
  errorAt,
  isNew,
}: AutomationFields<TriggerDraft> & { isNew: boolean | undefined }) {
  const { data } = useQuery(eventTypesListOptions());
  const type = data?.items.find((candidate) => candidate.type === draft.eventType);
  const paths = pathsOf(type?.example);
  return (
    <>
      <Select
        label="When this happens"
        description={isNew ? 'An event of this workspace' : 'The type of event of a trigger stays the same.'}
        required
        searchable
        readOnly={!isNew}
        data={(data?.items ?? []).map((candidate) => candidate.type)}
        value={draft.eventType || null}
        onChange={(eventType) => change({ eventType: eventType ?? '' })}
        error={errorAt('eventType')}
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
        errorAt={errorAt}
      />
      <InputFields
        inputs={draft.inputs}
        paths={paths}
        onChange={(inputs) => change({ inputs })}
        errorAt={errorAt}
      />
    </>
  );
}
