import { Button, Group, Stack, Text } from '@mantine/core';
import type { RJSFSchema } from '@rjsf/utils';
import { useMemo, useRef, useState } from 'react';

import { Problem } from '../../api/problem.js';
import { ProblemNotice } from '../problem-notice.js';
import type { FormContext } from './field-parts.js';
import { formUi } from './form-ui.js';
import { SchemaForm } from './schema-form.js';
import { restOf, serverErrors } from './server-errors.js';
import { interpretingValidator } from './validator.js';
import type { RunFormProps } from './props.js';

const ANY_OBJECT: RJSFSchema = { type: 'object', properties: {} };

export default function Form(props: RunFormProps) {
  const { schema, inputs, onInputs, problem, busy, submitLabel, onSubmit, children } = props;
  const shape = (schema ?? ANY_OBJECT) as RJSFSchema;
  const ui = useMemo(() => formUi(shape), [shape]);
  const { blocked, context } = useBlocked();
  const [refusal, setRefusal] = useState<string | null>(null);
  const { errors, notice } = useProblem(problem, inputs);
  const isEmpty = Object.keys(shape.properties ?? {}).length === 0;

  return (
    <SchemaForm
      schema={shape}
      uiSchema={ui}
      validator={interpretingValidator}
      formData={inputs}
      formContext={context}
      extraErrors={errors}
      noHtml5Validate
      showErrorList={false}
      focusOnFirstError
      idPrefix="inputs"
      idSeparator="."
      onChange={({ formData }) => {
        setRefusal(null);
        onInputs((formData ?? {}) as Record<string, unknown>);
      }}
      onError={() => setRefusal('Some fields need another look.')}
      onSubmit={({ formData }) => {
        const [first] = [...blocked.current.values()];
        setRefusal(first ?? null);
        if (first === undefined) onSubmit((formData ?? {}) as Record<string, unknown>);
      }}
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
          <Button type="submit" loading={busy}>
            {submitLabel}
          </Button>
          {children}
        </Group>
      </Stack>
    </SchemaForm>
  );
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
