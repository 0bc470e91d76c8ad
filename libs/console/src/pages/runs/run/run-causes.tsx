import type { Run } from '@gatehouse/client/operations';
import { hooksGetOptions, schedulesGetOptions, triggersGetOptions } from '@gatehouse/client/react-query';
import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';

import { usePlace, useRights } from '../../../app/use-place.js';

type Cause = NonNullable<Run['causedBy']>;

const CAUSES: Record<Cause['type'], string> = {
  run: 'A run',
  rerun: 'A run that was run again',
  event: 'The event',
  conversation: 'A conversation with an agent',
  batch: 'A batch',
  schedule: 'The schedule',
  trigger: 'The trigger',
  hook: 'The hook',
};
const WITHIN = '/w/$workspace/$environment';
const SCRIPT = `${WITHIN}/scripts/$slug` as const;

/** What stands directly before a run of that script. */
export function RunCause({ cause, script }: { cause: Cause; script: string }) {
  const { type, id } = cause;
  const place = usePlace();
  const name = useCauseName(cause);
  const params = { ...place, slug: script };
  const links: Partial<Record<Cause['type'], LinkProps>> = {
    run: { to: `${WITHIN}/runs/$runId`, params: { ...place, runId: id } },
    rerun: { to: `${WITHIN}/runs/$runId`, params: { ...place, runId: id } },
    batch: { to: `${WITHIN}/runs`, params: place, search: { causedBy: id } },
    schedule: { to: `${SCRIPT}/schedules/$scheduleId`, params: { ...params, scheduleId: id } },
    trigger: { to: `${SCRIPT}/triggers/$triggerId`, params: { ...params, triggerId: id } },
    hook: { to: `${SCRIPT}/hooks/$hookId`, params: { ...params, hookId: id } },
  };
  const link = links[type];
  const isNamed = type === 'schedule' || type === 'trigger' || type === 'hook';
  if (!link || (isNamed && name === null)) {
    return (
      <>
        {CAUSES[type]} <code>{id}</code>
      </>
    );
  }
  return (
    <Anchor inherit className="user-text" renderRoot={(props) => <Link {...link} {...props} />}>
      {isNamed ? `${CAUSES[type]} ${name}` : CAUSES[type]}
    </Anchor>
  );
}

/** What a schedule, trigger or hook is called, where it is still there and one may read that. */
function useCauseName({ type, id }: Cause): string | null {
  const { edits } = useRights();
  const path = { id };
  const schedule = useQuery({
    ...schedulesGetOptions({ path }),
    enabled: edits && type === 'schedule',
    retry: false,
  });
  const trigger = useQuery({
    ...triggersGetOptions({ path }),
    enabled: edits && type === 'trigger',
    retry: false,
  });
  const hook = useQuery({ ...hooksGetOptions({ path }), enabled: edits && type === 'hook', retry: false });
  return (schedule.data ?? trigger.data ?? hook.data)?.name ?? null;
}
