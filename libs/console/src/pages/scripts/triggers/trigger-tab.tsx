import { type Trigger, triggersChange, triggersDelete } from '@gatehouse/client/operations';
import { triggersGetOptions } from '@gatehouse/client/react-query';
import { Grid, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';

import { staleAfter } from '../../../app/stale-after.js';
import { usePlace } from '../../../app/use-place.js';
import { notifyDone } from '../../../kit/notify.js';
import { usePageTitle } from '../../../kit/page-title.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { useRefresh } from '../../../kit/use-refresh.js';
import { AutomationHeading } from '../automations/automation-heading.js';
import { AutomationSwitch } from '../automations/automation-switch.js';
import { DeleteAutomationButton } from '../automations/delete-automation.js';
import { draftOf } from './trigger-draft.js';
import { TriggerForm } from './trigger-form.js';
import { TriggerTest } from './trigger-test.js';

const route = getRouteApi('/w/$workspace/$environment/scripts/$slug/triggers/$triggerId');

export function TriggerTab() {
  const { triggerId: id } = route.useParams();
  const { data, error, refetch } = useQuery(triggersGetOptions({ path: { id } }));
  if (!data) return error ? <ProblemNotice error={error} onRetry={refetch} /> : <Skeleton height={400} />;
  return <EditTrigger key={id} trigger={data} />;
}

function EditTrigger({ trigger }: { trigger: Trigger }) {
  const { id, name, enabled } = trigger;
  const { slug } = route.useParams();
  const place = usePlace();
  const navigate = useNavigate();
  const refresh = useRefresh();
  usePageTitle(name);
  const toList = (): void =>
    void navigate({ to: '/w/$workspace/$environment/scripts/$slug/triggers', params: { ...place, slug } });
  return (
    <Stack>
      <AutomationHeading automation={trigger}>
        <AutomationSwitch
          kind="trigger"
          name={name}
          enabled={enabled}
          onChange={(next) => triggersChange({ path: { id }, body: { enabled: next } })}
        />
      </AutomationHeading>
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <TriggerForm
            draft={draftOf(trigger)}
            saveLabel="Save"
            onSave={async ({ eventType: _, ...fields }) => {
              await triggersChange({ path: { id }, body: fields });
              notifyDone(`${fields.name} is saved.`);
              // In another environment it is found there only.
              if (fields.environment !== trigger.environment) return toList;
              await refresh(...staleAfter('trigger.changed'));
            }}
          >
            {(release) => (
              <DeleteAutomationButton
                kind="trigger"
                name={name}
                onDelete={() => triggersDelete({ path: { id } })}
                onDeleted={() => {
                  release();
                  toList();
                }}
              />
            )}
          </TriggerForm>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <TriggerTest trigger={trigger} />
        </Grid.Col>
      </Grid>
    </Stack>
  );
}
