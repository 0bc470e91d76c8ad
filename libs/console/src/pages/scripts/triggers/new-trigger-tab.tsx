import { triggersCreate } from '@gatehouse/client/operations';
import { Box, Stack, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';

import { staleAfter } from '../../../app/stale-after.js';
import { usePlace } from '../../../app/use-place.js';
import { notifyDone } from '../../../kit/notify.js';
import { usePageTitle } from '../../../kit/page-title.js';
import { useRefresh } from '../../../kit/use-refresh.js';
import { useScript } from '../script-context.js';
import { EMPTY_DRAFT } from './trigger-draft.js';
import { TriggerForm } from './trigger-form.js';

export function NewTriggerTab() {
  const { slug, name } = useScript();
  const place = usePlace();
  const navigate = useNavigate();
  const refresh = useRefresh();
  usePageTitle(`New trigger of ${name}`);
  return (
    <Stack>
      <Title order={2}>New trigger</Title>
      <Box maw={680}>
        <TriggerForm
          draft={{ ...EMPTY_DRAFT, eventType: 'run.failed' }}
          isNew
          saveLabel="Make the trigger"
          onSave={async ({ environment, ...fields }) => {
            const { data } = await triggersCreate({
              path: { slug },
              body: { ...fields, ...(environment && { environment }) },
            });
            await refresh(...staleAfter('trigger.changed'));
            notifyDone(`${data.name} is on. Try what an event would do.`);
            return () =>
              void navigate({
                to: '/w/$workspace/$environment/scripts/$slug/triggers/$triggerId',
                params: { ...place, slug, triggerId: data.id },
              });
          }}
        />
      </Box>
    </Stack>
  );
}
