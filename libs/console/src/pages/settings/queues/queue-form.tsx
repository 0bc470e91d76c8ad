import type { Queue } from '@gatehouse/client/operations';
import { NumberInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { DialogForm } from '../../../kit/dialog-form.js';
import { problemAt } from '../../../kit/form-problem.js';

export interface QueueFormProps {
  queue?: Queue;
  submitLabel: string;
  save: (body: { name: string; limit: number | null }) => Promise<unknown>;
  onSaved: () => void;
  onClose: () => void;
}

export function QueueForm({ queue, submitLabel, save, onSaved, onClose }: QueueFormProps) {
  const [name, setName] = useState(queue?.name ?? '');
  const [limit, setLimit] = useState<number | string>(queue?.limit ?? '');
  const saving = useMutation({
    mutationFn: () => save({ name, limit: typeof limit === 'number' ? limit : null }),
    onSuccess: () => {
      onSaved();
      onClose();
    },
  });
  return (
    <DialogForm
      submitLabel={submitLabel}
      onSubmit={() => saving.mutate()}
      onCancel={onClose}
      busy={saving.isPending}
      error={saving.error}
      fields={['name', 'limit']}
    >
      {!queue && (
        <TextInput
          label="Name"
          description="Lower-case letters, digits and dashes. It stays the same."
          required
          maxLength={100}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={problemAt(saving.error, 'name')}
        />
      )}
      <NumberInput
        label="Runs at once"
        description="Empty: as many as there are workers for. More that go on now are not ended."
        min={1}
        max={1000}
        allowDecimal={false}
        value={limit}
        onChange={setLimit}
        error={problemAt(saving.error, 'limit')}
      />
    </DialogForm>
  );
}
