import { type Alert, alertsChange, alertsDelete, alertsTest } from '@gatehouse/client/operations';
import { Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { confirmDestruction } from '../../../kit/confirm.js';
import { FormDialog } from '../../../kit/form-dialog.js';
import { notifyDone, notifyProblem } from '../../../kit/notify.js';
import { RowMenu } from '../../../kit/row-menu.js';
import { useRefresh } from '../../../kit/use-refresh.js';
import { AlertForm } from './alert-form.js';
import { AlertMessages } from './alert-messages.js';

export function AlertActions({ alert }: { alert: Alert }) {
  const { id, name, enabled } = alert;
  const [shown, setShown] = useState(false);
  const [isEditing, setEditing] = useState(false);
  const refresh = useRefresh();
  const switching = useMutation({
    mutationFn: () => alertsChange({ path: { id }, body: { enabled: !enabled } }),
    onSuccess: async () => {
      await refresh('alertsList');
      notifyDone(enabled ? `${name} is off.` : `${name} is on.`);
    },
    onError: notifyProblem,
  });
  const testing = useMutation({
    mutationFn: () => alertsTest({ path: { id } }),
    onSuccess: async () => {
      await refresh('alertsListMessages');
      setShown(true);
    },
    onError: notifyProblem,
  });
  const deletion = useMutation({
    mutationFn: () => alertsDelete({ path: { id } }),
    onSuccess: async () => {
      await refresh('alertsList');
      notifyDone(`The rule ${name} is deleted.`);
    },
    onError: notifyProblem,
  });
  const askDeletion = (): void =>
    confirmDestruction({
      title: `Delete the rule ${name}?`,
      children: 'What it has not told yet is not told any more.',
      confirm: 'Delete the rule',
      onConfirm: () => deletion.mutate(),
    });
  return (
    <>
      <RowMenu label={`Actions for the alert rule ${name}`}>
        <Menu.Item onClick={() => setEditing(true)}>Edit</Menu.Item>
        <Menu.Item onClick={() => testing.mutate()}>Send a test</Menu.Item>
        <Menu.Item onClick={() => setShown(true)}>Messages</Menu.Item>
        <Menu.Item onClick={() => switching.mutate()}>{enabled ? 'Switch off' : 'Switch on'}</Menu.Item>
        <Menu.Item c="var(--mantine-color-error)" onClick={askDeletion}>
          Delete
        </Menu.Item>
      </RowMenu>
      <FormDialog title={`Messages of ${name}`} opened={shown} onClose={() => setShown(false)}>
        <AlertMessages id={id} />
      </FormDialog>
      <FormDialog
        title={`Edit the rule ${name}`}
        size="lg"
        opened={isEditing}
        onClose={() => setEditing(false)}
      >
        <AlertForm
          rule={alert}
          onSaved={() => {
            notifyDone('The rule is changed.');
            void refresh('alertsList');
          }}
          onClose={() => setEditing(false)}
        />
      </FormDialog>
    </>
  );
}
