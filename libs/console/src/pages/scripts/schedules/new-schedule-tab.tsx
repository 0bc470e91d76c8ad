import { schedulesCreate } from '@gatehouse/client/operations';
import { Stack, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';

import { staleAfter } from '../../../app/stale-after.js';
import { usePlace } from '../../../app/use-place.js';
import { notifyDone } from '../../../kit/notify.js';
import { usePageTitle } from '../../../kit/page-title.js';
import { useRefresh } from '../../../kit/use-refresh.js';
import { useScript } from '../script-context.js';
import { type ScheduleDraft, ScheduleForm } from './schedule-form.js';
import { ownTimeZone } from './time-zone-select.js';

const NEW: ScheduleDraft = {
  name: '',
  cron: '0 9 * * mon-fri',
  timezone: ownTimeZone,
  environment: '',
  inputs: {},
};

export function NewScheduleTab() {
  const { slug, name } = useScript();
  const place = usePlace();
  const navigate = useNavigate();
  const refresh = useRefresh();
  usePageTitle(`New schedule of ${name}`);
  const save = async ({ environment, ...draft }: ScheduleDraft): Promise<void> => {
    const body = { ...draft, ...(environment && { environment }) };
    await schedulesCreate({ path: { slug }, body });
    await refresh(...staleAfter('schedule.changed'));
    notifyDone(`${draft.name} is on.`);
  };
  return (
    <Stack>
      <Title order={2}>New schedule</Title>
      <ScheduleForm
        draft={NEW}
        saveLabel="Make the schedule"
        onSave={save}
        onSaved={() =>
          void navigate({
            to: '/w/$workspace/$environment/scripts/$slug/schedules',
            params: { ...place, slug },
          })
        }
      />
    </Stack>
  );
}
