import { Badge } from '@mantine/core';
import { Link } from '@tanstack/react-router';

import { usePlace } from '../../../app/use-place.js';

/** Leads to the scripts with this tag. */
export function TagLink({ tag }: { tag: string }) {
  const place = usePlace();
  return (
    <Badge
      variant="default"
      size="sm"
      tt="none"
      fw={500}
      radius="sm"
      style={{ cursor: 'pointer' }}
      renderRoot={(props) => (
        <Link
          to="/w/$workspace/$environment/scripts"
          params={place}
          search={{ tag }}
          title={`Scripts with the tag ${tag}`}
          {...props}
        />
      )}
    >
      {tag}
    </Badge>
  );
}
