import { scriptsArchive } from '@gatehouse/client/operations';
import { Button, Group, Paper, Text, Title } from '@mantine/core';

import { staleAfter } from '../../../app/stale-after.js';
import { confirmDestruction } from '../../../kit/confirm.js';
import { notifyDone } from '../../../kit/notify.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { useAct } from '../../../kit/use-act.js';
import { useRefresh } from '../../../kit/use-refresh.js';
import { useScript } from '../script-context.js';

export function ArchiveScript() {
  const { slug, name } = useScript();
  const refresh = useRefresh();
  const { run, busy, problem } = useAct(async () => {
    await scriptsArchive({ path: { slug } });
    await refresh(...staleAfter('script.changed'));
    notifyDone(`${name} is archived.`);
  });
  return (
    <Paper withBorder p="md" component="section" aria-label="Archive">
      <Group justify="space-between">
        <div>
          <Title order={2} fz="sm">
            Archive this script
          </Title>
          <Text size="sm" c="dimmed">
            It can no longer be run. Its versions, runs and files stay, and it can be restored.
          </Text>
        </div>
        <Button
          variant="outline"
          color="red"
          c="var(--mantine-color-error)"
          loading={busy}
          onClick={() =>
            confirmDestruction({
              title: `Archive ${name}?`,
              children: 'Nobody can run it any more, and its schedules and triggers are switched off.',
              confirm: 'Archive',
              onConfirm: () => void run(),
            })
          }
        >
          Archive
        </Button>
      </Group>
      {problem !== null && <ProblemNotice error={problem} />}
    </Paper>
  );
}
