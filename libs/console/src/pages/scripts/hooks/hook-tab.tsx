import { type Hook, hooksChange, hooksDelete, hooksRotate } from '@gatehouse/client/operations';
import { hooksGetOptions } from '@gatehouse/client/react-query';
import { Button, Grid, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';

import { staleAfter } from '../../../app/stale-after.js';
import { usePlace } from '../../../app/use-place.js';
import { confirmDestruction } from '../../../kit/confirm.js';
import { notifyDone, notifyProblem } from '../../../kit/notify.js';
import { usePageTitle } from '../../../kit/page-title.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { ShownOnce } from '../../../kit/shown-once.js';
import { useRefresh } from '../../../kit/use-refresh.js';
import { AutomationHeading } from '../automations/automation-heading.js';
import { AutomationSwitch } from '../automations/automation-switch.js';
import { DeleteAutomationButton } from '../automations/delete-automation.js';
import { draftOf } from './hook-draft.js';
import { HookForm } from './hook-form.js';
import { HookReceipts } from './hook-receipts.js';

const route = getRouteApi('/w/$workspace/$environment/scripts/$slug/hooks/$hookId');

export function HookTab() {
  const { hookId: id } = route.useParams();
  const { data, error, refetch } = useQuery(hooksGetOptions({ path: { id } }));
  if (!data) return error ? <ProblemNotice error={error} onRetry={refetch} /> : <Skeleton height={400} />;
  return <EditHook key={id} hook={data} />;
}

function EditHook({ hook }: { hook: Hook }) {
  const { id, name, enabled } = hook;
  const { slug } = route.useParams();
  const place = usePlace();
  const navigate = useNavigate();
  const refresh = useRefresh();
  usePageTitle(name);
  const toList = (): void =>
    void navigate({ to: '/w/$workspace/$environment/scripts/$slug/hooks', params: { ...place, slug } });
  return (
    <Stack>
      <AutomationHeading automation={hook}>
        <AutomationSwitch
          kind="hook"
          name={name}
          enabled={enabled}
          onChange={(next) => hooksChange({ path: { id }, body: { enabled: next } })}
        />
      </AutomationHeading>
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <HookForm
            draft={draftOf(hook)}
            saveLabel="Save"
            onSave={async (fields) => {
              await hooksChange({ path: { id }, body: fields });
              notifyDone(`${fields.name} is saved.`);
              // In another environment it is found there only.
              if (fields.environment !== hook.environment) return toList;
              await refresh(...staleAfter('hook.changed'));
            }}
          >
            {(release) => (
              <DeleteAutomationButton
                kind="hook"
                name={name}
                onDelete={() => hooksDelete({ path: { id } })}
                onDeleted={() => {
                  release();
                  toList();
                }}
              />
            )}
          </HookForm>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Stack>
            <NewAddress id={id} name={name} />
            <HookReceipts hookId={id} slug={slug} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Stack>
  );
}

function NewAddress({ id, name }: { id: string; name: string }) {
  const [url, setUrl] = useState<string | null>(null);
  const rotate = async (): Promise<void> => {
    try {
      setUrl((await hooksRotate({ path: { id } })).data.url);
    } catch (error) {
      notifyProblem(error);
    }
  };
  if (url !== null) return <ShownOnce value={url} name="address" />;
  return (
    <Button
      variant="default"
      style={{ alignSelf: 'flex-start' }}
      onClick={() =>
        confirmDestruction({
          title: `Give ${name} another address?`,
          children: 'What is sent to the one before is refused from then on.',
          confirm: 'Make another address',
          onConfirm: () => void rotate(),
        })
      }
    >
      Make another address
    </Button>
  );
}
