import { type Trigger, triggersChange } from '@gatehouse/client';
import { triggersGetOptions } from '@gatehouse/client/react-query';
import { Alert, Grid, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';

import { staleAfter } from '../../../app/stale-after.js';
import { usePlace } from '../../../app/use-place.js';
import { notifyDone } from '../../../kit/notify.js';
import { usePageTitle } from '../../../kit/page.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { useRefresh } from '../../../kit/use-refresh.js';
import { AutomationSwitch } from '../automation-switch.js';
import { PersonName } from '../person-name.js';
import { DeleteTriggerButton } from './delete-trigger.js';
import { draftOf } from './trigger-draft.js';
import { TriggerForm } from './trigger-form.js';
import { TriggerTest } from './trigger-test.js';

const route = getRouteApi('/w/$workspace/$environment/scripts/$slug/triggers/$triggerId');

export function TriggerTab() {
  const { triggerId: id } = route.useParams();
  const { data, error } = useQuery(triggersGetOptions({ path: { id } }));
  if (!data) return error ? <ProblemNotice error={error} /> : <Skeleton height={400} />;
  return <EditTrigger key={id} trigger={data} />;
}

function EditTrigger({ trigger }: { trigger: Trigger }) {
  const { id, name, enabled, disabledReason, createdByUserId } = trigger;
  const { slug } = route.useParams();
  const place = usePlace();
  const navigate = useNavigate();
  const refresh = useRefresh();
  usePageTitle(name);
  const toList = (): void =>
    void navigate({ to: '/w/$workspace/$environment/scripts/$slug/triggers', params: { ...place, slug } });
  return (
    <Stack>
      <div>
        <Group gap="sm">
          <Title order={2} className="user-text">
            {name}
          </Title>
          <AutomationSwitch
            name={name}
            enabled={enabled}
            onChange={async (next) => {
              await triggersChange({ path: { id }, body: { enabled: next } });
              await refresh(...staleAfter('trigger.changed'));
            }}
          />
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
            <DeleteTriggerButton trigger={trigger} onDeleted={toList} />
          </TriggerForm>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <TriggerTest trigger={trigger} />
        </Grid.Col>
      </Grid>
    </Stack>
  );
}
