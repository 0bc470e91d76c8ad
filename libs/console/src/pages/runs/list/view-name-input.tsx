import { TextInput } from '@mantine/core';

import { problemAt } from '../../../kit/form-problem.js';

interface ViewNameInputProps {
  name: string;
  description?: string | undefined;
  onChange: (name: string) => void;
  /** Of the form. */
  error: unknown;
}

/** What a view is called. */
export function ViewNameInput({ name, description, onChange, error }: ViewNameInputProps) {
  return (
    <TextInput
      label="Name"
      description={description}
      required
      maxLength={60}
      data-autofocus
      value={name}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={problemAt(error, 'name')}
    />
  );
}
