import { type Schedule, schedulesChange } from '@gatehouse/client';
import { schedulesGetOptions } from '@gatehouse/client/react-query';
import { Alert, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';

import { staleAfter } from '../../../app/stale-after.js';
import { usePlace } from '../../../app/use-place.js';
import { notifyDone } from '../../../kit/notify.js';
import { usePageTitle } from '../../../kit/page.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { Status } from '../../../kit/status.js';
import { useRefresh } from '../../../kit/use-refresh.js';
import { PersonName } from '../person-name.js';
import { DeleteScheduleButton } from './delete-schedule.js';
import { type ScheduleDraft, ScheduleForm } from './schedule-form.js';

const route = getRouteApi('/w/$workspace/$environment/scripts/$slug/schedules/$scheduleId');

export function ScheduleTab() {
  const { scheduleId: id } = route.useParams();
  const { data, error } = useQuery(schedulesGetOptions({ path: { id } }));
  if (!data) return error ? <ProblemNotice error={error} /> : <Skeleton height={400} />;
  return <EditSchedule key={id} schedule={data} />;
}

function EditSchedule({ schedule }: { schedule: Schedule }) {
  const { id, name, enabled, disabledReason, createdByUserId } = schedule;
  const { slug } = route.useParams();
  const place = usePlace();
  const navigate = useNavigate();
  const refresh = useRefresh();
  usePageTitle(name);
  const toList = (): void =>
    void navigate({ to: '/w/$workspace/$environment/scripts/$slug/schedules', params: { ...place, slug } });
  const save = async (draft: ScheduleDraft): Promise<void> => {
    await schedulesChange({ path: { id }, body: draft });
    await refresh(...staleAfter('schedule.changed'));
    notifyDone(`${draft.name} is saved.`);
  };
  const { cron, timezone, environment, inputs } = schedule;
  return (
    <Stack>
      <div>
        <Group gap="xs">
          <Title order={2} className="user-text">
            {name}
          </Title>
          <Status status={enabled ? 'enabled' : 'disabled'} />
        </Group>
        <Text size="sm" c="dimmed">
          Its runs are started as <PersonName userId={createdByUserId} />.
        </Text>
      </div>
      {disabledReason && (
        <Alert color="yellow" title="The service switched it off">
          <Text size="sm" c="var(--mantine-color-text)" className="user-text">
            {disabledReason}
          </Text>
        </Alert>
      )}
      <ScheduleForm
        draft={{ name, cron, timezone, environment, inputs }}
        saveLabel="Save"
        onSave={save}
        onSaved={toList}
      >
        <DeleteScheduleButton schedule={schedule} onDeleted={toList} />
      </ScheduleForm>
    </Stack>
  );
}
