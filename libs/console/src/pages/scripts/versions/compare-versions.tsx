import type { ScriptVersion } from '@gatehouse/client/operations';
import { Button, Group, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';

import { usePlace } from '../../../app/use-place.js';
import { useScript } from '../script-context.js';

/** Two versions beside each other: what the later one changes of the earlier. */
export function CompareVersions({
  versions,
  onNone,
}: {
  versions: readonly ScriptVersion[];
  onNone: () => void;
}) {
  const { slug } = useScript();
  const place = usePlace();
  const navigate = useNavigate();
  const numbers = versions.map(({ number }) => number).sort((one, other) => one - other);
  const [from, to] = numbers;
  const isTwo = numbers.length === 2;
  const compare = (): void =>
    void navigate({
      to: '/w/$workspace/$environment/scripts/$slug/versions/$number',
      params: { ...place, slug, number: String(to) },
      search: { view: 'changes', against: from! },
    });
  return (
    <Group gap="sm" role="status">
      <Button disabled={!isTwo} onClick={compare}>
        {isTwo ? `Compare version ${from} with ${to}` : 'Compare'}
      </Button>
      {!isTwo && (
        <Text size="sm" c="dimmed">
          {numbers.length === 1 ? 'Choose another one to compare it with.' : 'Two can be compared.'}
        </Text>
      )}
      <Button variant="subtle" color="gray" c="var(--mantine-color-text)" onClick={onNone}>
        Choose none
      </Button>
    </Group>
  );
}
