import { type SavedView, savedViewsCreate, savedViewsDelete } from '@gatehouse/client/operations';
import { savedViewsListOptions } from '@gatehouse/client/react-query';
import { Button, Menu } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import IconBookmark from 'icon:bookmark';
import IconCheck from 'icon:check';
import { useState } from 'react';

import { useUser } from '../../../api/session.js';
import { useRights } from '../../../app/use-place.js';
import { confirmDestruction } from '../../../kit/confirm.js';
import { FormDialog } from '../../../kit/form-dialog.js';
import { notifyProblem } from '../../../kit/notify.js';
import { notifyUndoable } from '../../../kit/notify-undo.js';
import { useRefresh } from '../../../kit/use-refresh.js';
import type { RunListSearch } from './run-list-search.js';
import { RenameViewForm } from './rename-view-form.js';
import { SaveViewForm } from './save-view-form.js';
import { searchOfView, viewOf } from './view-search.js';

interface SavedViewsProps {
  search: RunListSearch;
  onSearch: (search: RunListSearch) => void;
}

/** Filters under a name: one's own, and those of everyone in the workspace. */
export function SavedViews({ search, onSearch }: SavedViewsProps) {
  const [isSaving, setSaving] = useState(false);
  const [renamed, setRenamed] = useState<SavedView | null>(null);
  const { data } = useQuery(savedViewsListOptions({ query: { limit: 100 } }));
  const views = data?.items ?? [];
  const shown = viewOf(search);
  const current = views.find((view) => viewOf(searchOfView(view.search)) === shown);
  const mayChange = useMayChange();
  const refresh = useRefresh();
  const deletion = useMutation({
    mutationFn: ({ id }: SavedView) => savedViewsDelete({ path: { id } }),
    onSuccess: async (_, { name, search: kept, shared }) => {
      await refresh('savedViewsList');
      notifyUndoable(`The view ${name} is deleted.`, async () => {
        await savedViewsCreate({ body: { name, search: kept, shared, list: 'runs' } });
        await refresh('savedViewsList');
        return `The view ${name} is there again.`;
      });
    },
    onError: notifyProblem,
  });
  /** One's own can be brought back; others may miss theirs sooner. */
  const remove = (view: SavedView): void => {
    if (!view.shared) return deletion.mutate(view);
    confirmDestruction({
      title: `Delete the view ${view.name}?`,
      children: 'It is gone for everyone in the workspace.',
      confirm: 'Delete the view',
      onConfirm: () => deletion.mutate(view),
    });
  };
  return (
    <>
      <Menu position="bottom-start" width={260}>
        <Menu.Target>
          <Button size="xs" variant="default" maw={220} leftSection={<IconBookmark size={14} aria-hidden />}>
            {current?.name ?? 'Views'}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {[false, true].map((shared) => (
            <ViewGroup
              key={String(shared)}
              label={shared ? 'For everyone' : 'Mine'}
              views={views.filter((view) => view.shared === shared)}
              current={current}
              onView={(view) => onSearch(searchOfView(view.search))}
            />
          ))}
          <Menu.Item disabled={shown === '' || current !== undefined} onClick={() => setSaving(true)}>
            Save as a view…
          </Menu.Item>
          {current && mayChange(current) && (
            <>
              <Menu.Item onClick={() => setRenamed(current)}>Rename this view…</Menu.Item>
              <Menu.Item c="var(--mantine-color-error)" onClick={() => remove(current)}>
                Delete this view
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <FormDialog title="Save as a view" opened={isSaving} onClose={() => setSaving(false)}>
        <SaveViewForm
          search={shown}
          views={views.filter(mayChange)}
          onSaved={() => void refresh('savedViewsList')}
          onClose={() => setSaving(false)}
        />
      </FormDialog>
      <FormDialog title="Rename the view" opened={renamed !== null} onClose={() => setRenamed(null)}>
        {renamed && (
          <RenameViewForm
            view={renamed}
            onRenamed={() => void refresh('savedViewsList')}
            onClose={() => setRenamed(null)}
          />
        )}
      </FormDialog>
    </>
  );
}

interface ViewGroupProps {
  label: string;
  views: SavedView[];
  current: SavedView | undefined;
  onView: (view: SavedView) => void;
}

function ViewGroup({ label, views, current, onView }: ViewGroupProps) {
  if (views.length === 0) return null;
  return (
    <>
      <Menu.Label>{label}</Menu.Label>
      {views
        .toSorted((one, other) => one.name.localeCompare(other.name))
        .map((view) => (
          <Menu.Item
            key={view.id}
            className="user-text"
            rightSection={view === current && <IconCheck size={14} aria-label="Shown" />}
            onClick={() => onView(view)}
          >
            {view.name}
          </Menu.Item>
        ))}
      <Menu.Divider />
    </>
  );
}

/** One's own are; those for everyone are changed by who made them, and by admins. */
function useMayChange(): (view: SavedView) => boolean {
  const user = useUser();
  const { administers } = useRights();
  return ({ shared, createdByUserId }) => !shared || administers || createdByUserId === user.id;
}
