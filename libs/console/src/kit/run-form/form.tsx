import { Button, Group, Stack, Text } from '@mantine/core';
import type FormInstance from '@rjsf/core/lib/components/Form.js';
import type { RJSFSchema, UiSchema } from '@rjsf/utils';
import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react';

import { Problem } from '../../api/problem.js';
import { ProblemNotice } from '../problem-notice.js';
import { checkInputs } from './check-inputs.js';
import type { FormContext } from './field-parts.js';
import { formUi } from './form-ui.js';
import { foundErrors } from './found-errors.js';
import type { FoundProblem } from './found-problems.js';
import { SchemaForm } from './schema-form.js';
import { restOf, serverErrors } from './server-errors.js';
import { shownSchema } from './shown-schema.js';
import { shapeValidator } from './validator.js';
import type { RunFormProps } from './props.js';

const ANY_OBJECT: RJSFSchema = { type: 'object', properties: {} };

/** By its value a form tells which button has sent it. */
const OTHER = 'other';

const AS_JSON: UiSchema = { 'ui:field': 'JsonField', 'ui:submitButtonOptions': { norender: true } };

export default function Form(props: RunFormProps) {
  const { schema, inputs, onInputs, problem, busy, submitLabel, onSubmit, other, children } = props;
  const shape = (schema ?? ANY_OBJECT) as RJSFSchema;
  const [filledIn] = useState(inputs);
  const shown = useMemo(() => shownSchema(shape, filledIn), [shape, filledIn]);
  const ui = useMemo(() => (shown.isWhole ? AS_JSON : formUi(shown.schema)), [shown]);
  const { blocked, context } = useBlocked();
  const [refusal, setRefusal] = useState<string | null>(null);
  const { errors, notice } = useProblem(problem, inputs);
  const check = useCheck(shape, inputs);
  const isEmpty = !shown.isWhole && Object.keys(shape.properties ?? {}).length === 0;

  const submit = async (typed: Record<string, unknown>, button: unknown): Promise<void> => {
    if (check.busy) return;
    const [first] = [...blocked.current.values()];
    const isWrong = first === undefined && (await check.run(typed));
    setRefusal(first ?? (isWrong ? 'Some fields need another look.' : null));
    if (first !== undefined || isWrong) return;
    if (other && button === OTHER) other.onSubmit(typed);
    else onSubmit(typed);
  };

  return (
    <SchemaForm
      ref={check.form}
      schema={shown.schema}
      uiSchema={ui}
      validator={shapeValidator}
      formData={inputs}
      formContext={context}
      extraErrors={check.errors ?? errors}
      noValidate
      noHtml5Validate
      showErrorList={false}
      idPrefix="inputs"
      idSeparator="."
      onChange={({ formData }) => {
        setRefusal(null);
        onInputs((formData ?? {}) as Record<string, unknown>);
      }}
      onSubmit={({ formData }, event) =>
        void submit((formData ?? {}) as Record<string, unknown>, buttonOf(event))
      }
    >
      <Stack mt={isEmpty ? 0 : 'md'} gap="sm">
        {isEmpty && (
          <Text size="sm" c="dimmed">
            This script takes no inputs.
          </Text>
        )}
        {Boolean(notice) && <ProblemNotice error={notice} />}
        {refusal && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {refusal}
          </Text>
        )}
        <Group gap="xs">
          <Button type="submit" data-key="r" loading={busy || check.busy}>
            {submitLabel}
          </Button>
          {other && (
            <Button type="submit" value={OTHER} variant="default" disabled={busy || check.busy}>
              {other.label}
            </Button>
          )}
          {children}
        </Group>
      </Stack>
    </SchemaForm>
  );
}

function buttonOf({ nativeEvent }: FormEvent): unknown {
  const { submitter } = nativeEvent as SubmitEvent;
  return submitter instanceof HTMLButtonElement ? submitter.value : null;
}

/** Fields say here why the form cannot be sent yet. */
function useBlocked() {
  const blocked = useRef(new Map<string, string>());
  const [context] = useState<FormContext>(() => ({
    block: (id, reason) => {
      if (reason === null) blocked.current.delete(id);
      else blocked.current.set(id, reason);
    },
  }));
  return { blocked, context };
}

/** Looks at inputs before they are sent: what is wrong with them is shown while they stay as they are. */
function useCheck(schema: RJSFSchema, inputs: Record<string, unknown>) {
  const form = useRef<FormInstance>(null);
  const [busy, setBusy] = useState(false);
  const [last, setLast] = useState<{ found: FoundProblem[]; checked: unknown } | null>(null);
  const errors = useMemo(
    () => (last && last.found.length > 0 ? foundErrors(last.found, last.checked, inputs) : undefined),
    [last, inputs],
  );
  useEffect(() => {
    const [first] = last?.found ?? [];
    if (first) form.current?.focusOnError({ property: `.${first.path.join('.')}`, stack: first.message });
  }, [last]);
  const run = async (typed: Record<string, unknown>): Promise<boolean> => {
    setBusy(true);
    const found = await checkInputs(schema, typed);
    setBusy(false);
    setLast({ found, checked: typed });
    return found.length > 0;
  };
  return { form, busy, errors, run };
}

/** What the service refused: at its fields while they are unchanged, the rest in a notice. */
function useProblem(problem: unknown, inputs: Record<string, unknown>) {
  const [told, setTold] = useState<{ problem: unknown; sent: unknown }>({ problem: null, sent: null });
  if (told.problem !== (problem ?? null)) setTold({ problem: problem ?? null, sent: inputs });
  const { sent } = told;
  const errors = useMemo(
    () => (problem instanceof Problem ? serverErrors(problem, sent, inputs) : undefined),
    [problem, sent, inputs],
  );
  const notice = useMemo(
    () =>
      problem instanceof Problem
        ? new Problem({ ...problem, message: problem.message, details: restOf(problem, sent) })
        : problem,
    [problem, sent],
  );
  return { errors, notice };
}
