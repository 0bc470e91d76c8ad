import { type Schedule, schedulesChange, schedulesDelete } from '@gatehouse/client/operations';
import { schedulesGetOptions } from '@gatehouse/client/react-query';
import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';

import { staleAfter } from '../../../app/stale-after.js';
import { usePlace } from '../../../app/use-place.js';
import { notifyDone } from '../../../kit/notify.js';
import { usePageTitle } from '../../../kit/page-title.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { Status } from '../../../kit/status.js';
import { useRefresh } from '../../../kit/use-refresh.js';
import { AutomationHeading } from '../automations/automation-heading.js';
import { DeleteAutomationButton } from '../automations/delete-automation.js';
import { type ScheduleDraft, ScheduleForm } from './schedule-form.js';

const route = getRouteApi('/w/$workspace/$environment/scripts/$slug/schedules/$scheduleId');

export function ScheduleTab() {
  const { scheduleId: id } = route.useParams();
  const { data, error, refetch } = useQuery(schedulesGetOptions({ path: { id } }));
  if (!data) return error ? <ProblemNotice error={error} onRetry={refetch} /> : <Skeleton height={400} />;
  return <EditSchedule key={id} schedule={data} />;
}

function EditSchedule({ schedule }: { schedule: Schedule }) {
  const { id, name, enabled } = schedule;
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
      <AutomationHeading automation={schedule}>
        <Status status={enabled ? 'enabled' : 'disabled'} />
      </AutomationHeading>
      <ScheduleForm
        draft={{ name, cron, timezone, environment, inputs }}
        saveLabel="Save"
        onSave={save}
        onSaved={toList}
      >
        {(release) => (
          <DeleteAutomationButton
            kind="schedule"
            name={name}
            onDelete={() => schedulesDelete({ path: { id } })}
            onDeleted={() => {
              release();
              toList();
            }}
          />
        )}
      </ScheduleForm>
    </Stack>
  );
}
