import type { Schedule } from '@gatehouse/client/operations';
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';

import { usePlace } from '../../../app/use-place.js';

interface ScheduleLinkProps {
  schedule: Schedule;
  /** Of its letters. Default: that of the text around it. */
  weight?: number;
}

/** Its name, which leads to its page. */
export function ScheduleLink({ schedule: { id, name, script }, weight }: ScheduleLinkProps) {
  const place = usePlace();
  return (
    <Anchor
      inherit
      className="user-text"
      {...(weight !== undefined && { fw: weight })}
      renderRoot={(props) => (
        <Link
          to="/w/$workspace/$environment/scripts/$slug/schedules/$scheduleId"
          params={{ ...place, slug: script.slug, scheduleId: id }}
          {...props}
        />
      )}
    >
      {name}
    </Anchor>
  );
}
