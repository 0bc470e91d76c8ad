import { Checkbox, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';

import { AutomationForm } from '../automations/automation-form.js';
import { useScript } from '../script-context.js';
import { FilterRows } from '../triggers/filter-rows.js';
import { InputFields } from '../triggers/input-fields.js';
import { type HookDraft, hookFields } from './hook-draft.js';
import { VerifyFields } from './verify-fields.js';

interface HookFormProps {
  draft: HookDraft;
  saveLabel: string;
  /** As of `AutomationForm`. */
  onSave: (fields: ReturnType<typeof hookFields>) => Promise<(() => void) | void>;
  children?: (release: () => void) => ReactNode;
}

const FROM = { prefix: 'request.', example: 'body.id', words: 'the request' };
const PATHS = ['body', 'body.id', 'headers.content-type', 'query.id'];

export function HookForm({ onSave, ...form }: HookFormProps) {
  const { inputSchema } = useScript();
  return (
    <AutomationForm
      {...form}
      onSave={(draft) => onSave(hookFields(draft, inputSchema))}
      environmentDescription="Whose secrets check the requests, and where its runs are"
      fields={({ draft, change, errorAt }) => (
        <>
          <VerifyFields verify={draft.verify} onChange={(verify) => change({ verify })} errorAt={errorAt} />
          <FilterRows
            rows={draft.filter}
            paths={PATHS.slice(1)}
            everything="Every request that is let in starts a run."
            onChange={(filter) => change({ filter })}
            errorAt={errorAt}
          />
          <InputFields
            inputs={draft.inputs}
            paths={PATHS}
            from={FROM}
            onChange={(inputs) => change({ inputs })}
            errorAt={errorAt}
          />
          <TextInput
            label="Headers to keep"
            description="Besides the usual ones, with commas between; those that prove who sends are never kept"
            value={draft.headers}
            onChange={(event) => change({ headers: event.currentTarget.value })}
            error={errorAt('headers')}
          />
          <Checkbox
            label="Answer with the script's output"
            description="The sender waits for it, up to 10 seconds"
            checked={draft.respond}
            onChange={(event) => change({ respond: event.currentTarget.checked })}
          />
        </>
      )}
    />
  );
}
