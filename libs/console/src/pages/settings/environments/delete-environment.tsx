import { type Environment, environmentsDelete } from '@gatehouse/client/operations';
import { environmentsGetOptions } from '@gatehouse/client/react-query';
import { Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';

import { DEFAULT_ENVIRONMENT } from '../../../api/place.js';
import { usePlace } from '../../../app/use-place.js';
import { DialogForm } from '../../../kit/dialog-form.js';
import { notifyDone } from '../../../kit/notify.js';
import { useRefresh } from '../../../kit/use-refresh.js';
import { usageText } from './usage-text.js';

/** What holds an environment (schedules, keys, runs), the service says when it refuses. */
export function DeleteEnvironment({
  environment: { id, name },
  onClose,
}: {
  environment: Environment;
  onClose: () => void;
}) {
  const place = usePlace();
  const navigate = useNavigate();
  const refresh = useRefresh();
  const { data } = useQuery(environmentsGetOptions({ path: { idOrName: id } }));
  const deletion = useMutation({
    mutationFn: () => environmentsDelete({ path: { idOrName: id } }),
    onSuccess: async () => {
      onClose();
      notifyDone(`The environment ${name} is deleted.`);
      if (place.environment !== name) return refresh('environmentsList');
      await navigate({
        to: '/w/$workspace/$environment/settings/environments',
        params: { ...place, environment: DEFAULT_ENVIRONMENT },
      });
    },
  });
  return (
    <DialogForm
      destroys
      submitLabel="Delete the environment"
      onSubmit={() => deletion.mutate()}
      onCancel={onClose}
      busy={deletion.isPending}
      error={deletion.error}
    >
      <Text size="sm">
        The secret values of <b className="user-text">{name}</b> are deleted with it. Its schedules, triggers,
        webhook endpoints and API keys must be gone or moved before.
      </Text>
      {data && (
        <Text size="sm" c="dimmed">
          Now there: {usageText(data.usage)}.
        </Text>
      )}
    </DialogForm>
  );
}
