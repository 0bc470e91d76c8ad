import { type Agent, agentsChange } from '@gatehouse/client/operations';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';

import { DialogForm } from '../../kit/dialog-form.js';
import { useRefresh } from '../../kit/use-refresh.js';
import { AGENT_FIELDS, AgentFields, type AgentValues, agentChange } from './agent-fields.js';

export function EditAgent({ agent, onClose }: { agent: Agent; onClose: () => void }) {
  const { slug, name, instructions, model, scripts, enabled, approvalPolicy, budget } = agent;
  const refresh = useRefresh();
  const form = useForm<AgentValues>({
    initialValues: { slug, name, instructions, model: model ?? '', scripts, enabled, approvalPolicy, budget },
  });
  const change = useMutation({
    mutationFn: (values: AgentValues) => agentsChange({ path: { agent: slug }, body: agentChange(values) }),
    onSuccess: async () => {
      await refresh('agentsList', 'agentsGet');
      onClose();
    },
  });
  return (
    <DialogForm
      submitLabel="Save"
      onSubmit={() => change.mutate(form.values)}
      onCancel={onClose}
      busy={change.isPending}
      error={change.error}
      fields={AGENT_FIELDS}
    >
      <AgentFields form={form} error={change.error} />
    </DialogForm>
  );
}
