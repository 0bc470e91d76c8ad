import { Button, Group, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';

import { FormProblem } from './form-problem.js';

export interface DialogFormProps {
  children: ReactNode;
  submitLabel: string;
  onSubmit: () => void;
  onCancel: () => void;
  busy: boolean;
  error: unknown;
  /** Paths whose problems the fields show themselves. */
  fields?: readonly string[];
  /** What is confirmed destroys something. */
  destroys?: boolean;
  disabled?: boolean;
}

/** What stands in a `FormDialog`: fields, what was wrong with them, and the two buttons. */
export function DialogForm({
  children,
  submitLabel,
  onSubmit,
  onCancel,
  busy,
  error,
  fields,
  destroys = false,
  disabled = false,
}: DialogFormProps) {
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    // A dialog stands in the tree of its page, whose own form it must not send.
    event.stopPropagation();
    if (!busy) onSubmit();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {children}
        <FormProblem error={error} fields={fields} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {destroys ? 'Keep' : 'Cancel'}
          </Button>
          <Button type="submit" loading={busy} disabled={disabled} color={destroys ? 'red.9' : undefined}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
