import { agentsCreate } from '@gatehouse/client/operations';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';

import { usePlace } from '../../app/use-place.js';
import { DialogForm } from '../../kit/dialog-form.js';
import { FormDialog } from '../../kit/form-dialog.js';
import { useRefresh } from '../../kit/use-refresh.js';
import { AGENT_FIELDS, AgentFields, type AgentValues, agentChange, NEW_AGENT } from './agent-fields.js';

export function NewAgent({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <FormDialog title="New agent" size="lg" opened={opened} onClose={onClose}>
      <CreationForm onClose={onClose} />
    </FormDialog>
  );
}

function CreationForm({ onClose }: { onClose: () => void }) {
  const place = usePlace();
  const navigate = useNavigate();
  const refresh = useRefresh();
  const form = useForm<AgentValues>({ initialValues: NEW_AGENT });
  const making = useMutation({
    mutationFn: (values: AgentValues) =>
      agentsCreate({ body: { slug: values.slug, ...agentChange(values) } }),
    onSuccess: async ({ data }) => {
      onClose();
      await refresh('agentsList');
      await navigate({
        to: '/w/$workspace/$environment/agents/$agent',
        params: { ...place, agent: data.slug },
      });
    },
  });
  return (
    <DialogForm
      submitLabel="Make the agent"
      onSubmit={() => making.mutate(form.values)}
      onCancel={onClose}
      busy={making.isPending}
      error={making.error}
      fields={AGENT_FIELDS}
    >
      <AgentFields form={form} error={making.error} isNew />
    </DialogForm>
  );
}
