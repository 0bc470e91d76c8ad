import { type SavedView, savedViewsCreate, savedViewsUpdate } from '@gatehouse/client/operations';
import { Checkbox } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { useRights } from '../../../app/use-place.js';
import { DialogForm } from '../../../kit/dialog-form.js';
import { ViewNameInput } from './view-name-input.js';

interface SaveViewFormProps {
  search: string;
  /** Those that may be replaced, by their name. */
  views: readonly SavedView[];
  onSaved: () => void;
  onClose: () => void;
}

export function SaveViewForm({ search, views, onSaved, onClose }: SaveViewFormProps) {
  const [name, setName] = useState('');
  const [shared, setShared] = useState(false);
  const { edits } = useRights();
  const replaced = views.find((view) => view.name === name.trim() && view.shared === shared);
  const saving = useMutation({
    mutationFn: () => save({ name: name.trim(), search, shared }, replaced),
    onSuccess: () => {
      onSaved();
      onClose();
    },
  });
  return (
    <DialogForm
      submitLabel={replaced ? 'Replace the view' : 'Save'}
      onSubmit={() => saving.mutate()}
      onCancel={onClose}
      busy={saving.isPending}
      error={saving.error}
      fields={['name']}
    >
      <ViewNameInput
        name={name}
        description={replaced && 'There is a view of this name. It is replaced.'}
        onChange={setName}
        error={saving.error}
      />
      {edits && (
        <Checkbox
          label="For everyone in the workspace"
          checked={shared}
          onChange={(event) => setShared(event.currentTarget.checked)}
        />
      )}
    </DialogForm>
  );
}

async function save(view: Pick<SavedView, 'name' | 'search' | 'shared'>, replaced: SavedView | undefined) {
  const { search } = view;
  if (replaced) await savedViewsUpdate({ path: { id: replaced.id }, body: { search } });
  else await savedViewsCreate({ body: { ...view, list: 'runs' } });
}
