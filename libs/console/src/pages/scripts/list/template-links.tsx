import { Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';

import { usePlace } from '../../../app/use-place.js';
import { TEMPLATES } from '../new/templates.js';

/** Each leads to a new script that begins as this template. */
export function TemplateLinks() {
  const place = usePlace();
  return (
    <Group gap="xs" justify="center" role="group" aria-label="Templates">
      {TEMPLATES.map(({ id, name, description }) => (
        <Button
          key={id}
          size="compact-sm"
          variant="default"
          title={description}
          renderRoot={(props) => (
            <Link
              to="/w/$workspace/$environment/scripts/new"
              params={place}
              search={{ template: id }}
              {...props}
            />
          )}
        >
          {name}
        </Button>
      ))}
    </Group>
  );
}
