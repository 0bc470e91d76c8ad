import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { DialogForm } from '../../../kit/dialog-form.js';
import { problemAt } from '../../../kit/form-problem.js';

export interface TeamNameFormProps {
  name?: string;
  submitLabel: string;
  save: (name: string) => Promise<unknown>;
  onSaved: () => void;
  onClose: () => void;
}

export function TeamNameForm({ name: before = '', submitLabel, save, onSaved, onClose }: TeamNameFormProps) {
  const [name, setName] = useState(before);
  const saving = useMutation({
    mutationFn: save,
    onSuccess: () => {
      onSaved();
      onClose();
    },
  });
  return (
    <DialogForm
      submitLabel={submitLabel}
      onSubmit={() => saving.mutate(name)}
      onCancel={onClose}
      busy={saving.isPending}
      error={saving.error}
      fields={['name']}
    >
      <TextInput
        label="Name"
        required
        maxLength={100}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={problemAt(saving.error, 'name')}
      />
    </DialogForm>
  );
}
