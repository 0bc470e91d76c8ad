import { type ConnectedApp, connectedAppsChange } from '@gatehouse/client/operations';
import { connectedAppsUsageOptions } from '@gatehouse/client/react-query';
import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { AgentUsageText, BudgetFields } from '../../kit/budget-fields.js';
import { DialogForm } from '../../kit/dialog-form.js';
import { FormDialog } from '../../kit/form-dialog.js';
import { problemAt } from '../../kit/form-problem.js';
import { useRefresh } from '../../kit/use-refresh.js';

/** What may be used through an app, and what was. */
export function AppBudget({ app }: { app: ConnectedApp }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Budget of ${app.name}`}
        onClick={() => setOpen(true)}
      >
        Budget
      </Button>
      <FormDialog title={`Budget of ${app.name}`} size="lg" opened={isOpen} onClose={() => setOpen(false)}>
        <BudgetForm app={app} onClose={() => setOpen(false)} />
      </FormDialog>
    </>
  );
}

function BudgetForm({ app: { id, budget: before }, onClose }: { app: ConnectedApp; onClose: () => void }) {
  const [budget, setBudget] = useState(before);
  const refresh = useRefresh();
  const usage = useQuery(connectedAppsUsageOptions({ path: { id } }));
  const change = useMutation({
    mutationFn: () => connectedAppsChange({ path: { id }, body: { budget } }),
    onSuccess: async () => {
      await refresh('connectedAppsList', 'connectedAppsUsage');
      onClose();
    },
  });
  return (
    <DialogForm
      submitLabel="Save"
      onSubmit={() => change.mutate()}
      onCancel={onClose}
      busy={change.isPending}
      error={change.error}
      fields={['budget']}
    >
      {usage.data && <AgentUsageText usage={usage.data} />}
      <BudgetFields
        label="What may be used through it"
        value={budget}
        onChange={setBudget}
        error={problemAt(change.error, 'budget')}
      />
    </DialogForm>
  );
}
