import { type SavedView, savedViewsUpdate } from '@gatehouse/client/operations';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { DialogForm } from '../../../kit/dialog-form.js';
import { ViewNameInput } from './view-name-input.js';

interface RenameViewFormProps {
  view: SavedView;
  onRenamed: () => void;
  onClose: () => void;
}

export function RenameViewForm({ view, onRenamed, onClose }: RenameViewFormProps) {
  const [name, setName] = useState(view.name);
  const renaming = useMutation({
    mutationFn: () => savedViewsUpdate({ path: { id: view.id }, body: { name: name.trim() } }),
    onSuccess: () => {
      onRenamed();
      onClose();
    },
  });
  return (
    <DialogForm
      submitLabel="Rename"
      onSubmit={() => renaming.mutate()}
      onCancel={onClose}
      busy={renaming.isPending}
      error={renaming.error}
      fields={['name']}
    >
      <ViewNameInput name={name} onChange={setName} error={renaming.error} />
    </DialogForm>
  );
}
