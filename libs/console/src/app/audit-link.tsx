import { ActionIcon, Tooltip } from '@mantine/core';
import IconHistory from 'icon:history';
import { Link } from '@tanstack/react-router';

import { usePlace, useRights } from './use-place.js';

const LABEL = 'Show in the audit log';

interface AuditLinkProps {
  target: string;
  /** Its name, where the page is of several. */
  of?: string;
}

/** To what was done to one thing, for those who may read that. */
export function AuditLink({ target, of }: AuditLinkProps) {
  const place = usePlace();
  const { administers } = useRights();
  if (!administers) return null;
  return (
    <Tooltip label={LABEL}>
      <ActionIcon
        variant="default"
        size="input-sm"
        aria-label={of === undefined ? LABEL : `${LABEL}: ${of}`}
        renderRoot={(props) => (
          <Link
            to="/w/$workspace/$environment/settings/audit"
            params={place}
            search={{ target }}
            {...props}
          />
        )}
      >
        <IconHistory size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
