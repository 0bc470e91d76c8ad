import { type WebhookEndpoint, endpointsChange } from '@gatehouse/client/operations';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';

import { DialogForm } from '../../kit/dialog-form.js';
import { useRefresh } from '../../kit/use-refresh.js';
import { ENDPOINT_FIELDS, EndpointFields, type EndpointValues, endpointBody } from './endpoint-fields.js';

export function EditEndpoint({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const refresh = useRefresh();
  const form = useForm<EndpointValues>({
    initialValues: {
      url: endpoint.url,
      description: endpoint.description ?? '',
      which: endpoint.eventTypes === null ? 'every' : 'some',
      eventTypes: endpoint.eventTypes ?? [],
    },
  });
  const change = useMutation({
    mutationFn: (values: EndpointValues) =>
      endpointsChange({ path: { endpointId: endpoint.id }, body: endpointBody(values) }),
    onSuccess: async () => {
      await refresh('endpointsList', 'endpointsGet');
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
      fields={ENDPOINT_FIELDS}
    >
      <EndpointFields form={form} error={change.error} />
    </DialogForm>
  );
}
