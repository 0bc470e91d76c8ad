import { hooksCreate, type NewHook } from '@gatehouse/client/operations';
import { Alert, Box, Button, Stack, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';

import { staleAfter } from '../../../app/stale-after.js';
import { usePlace } from '../../../app/use-place.js';
import { usePageTitle } from '../../../kit/page-title.js';
import { ShownOnce } from '../../../kit/shown-once.js';
import { useRefresh } from '../../../kit/use-refresh.js';
import { useScript } from '../script-context.js';
import { EMPTY_HOOK } from './hook-draft.js';
import { HookForm } from './hook-form.js';

export function NewHookTab() {
  const { slug, name } = useScript();
  const place = usePlace();
  const refresh = useRefresh();
  const [made, setMade] = useState<NewHook | null>(null);
  usePageTitle(`New hook of ${name}`);
  return (
    <Stack>
      <Title order={2}>New hook</Title>
      <Box maw={680}>
        {made ? (
          <Stack align="flex-start">
            <ShownOnce value={made.url} name="address">
              Give it to whoever sends, now: it cannot be shown again. The hook can get another one.
            </ShownOnce>
            {made.warning && <Alert color="yellow" variant="light" title={made.warning} />}
            <Button
              renderRoot={(props) => (
                <Link
                  to="/w/$workspace/$environment/scripts/$slug/hooks/$hookId"
                  params={{ ...place, slug, hookId: made.id }}
                  {...props}
                />
              )}
            >
              See what comes in
            </Button>
          </Stack>
        ) : (
          <HookForm
            draft={EMPTY_HOOK}
            saveLabel="Make the hook"
            onSave={async ({ environment, ...fields }) => {
              const { data } = await hooksCreate({
                path: { slug },
                body: { ...fields, ...(environment && { environment }) },
              });
              await refresh(...staleAfter('hook.changed'));
              return () => setMade(data);
            }}
          />
        )}
      </Box>
    </Stack>
  );
}
