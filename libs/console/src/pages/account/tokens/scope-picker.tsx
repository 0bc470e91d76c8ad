import { Button, Checkbox, Group, Input, Text } from '@mantine/core';

import {
  SCOPE_FAMILIES,
  type Scope,
  type ScopeFamily,
  USED_SCOPES,
  type Way,
  scopeOf,
} from './scope-words.js';
import classes from './scope-picker.module.css';

interface Props {
  scopes: Scope[];
  onScopes: (scopes: Scope[]) => void;
  error?: string | undefined;
}

const OFFERED = SCOPE_FAMILIES.filter(({ read, write }) => read !== null || write !== null);
const READING = USED_SCOPES.filter((scope) => scope.endsWith(':read'));

/** What a token may do, by family: reading and changing are chosen each by itself. */
export function ScopePicker({ scopes, onScopes, error }: Props) {
  const toggle = (scope: Scope): void =>
    onScopes(scopes.includes(scope) ? scopes.filter((other) => other !== scope) : [...scopes, scope]);
  return (
    <div role="group" aria-label="Scopes">
      <Group justify="space-between" gap="xs" mb={4}>
        <Text fw={600} size="sm">
          What it may do
        </Text>
        <Group gap={4}>
          <Preset label="Read everything" onClick={() => onScopes([...READING])} />
          <Preset label="Everything" onClick={() => onScopes([...USED_SCOPES])} />
          <Preset label="Nothing" onClick={() => onScopes([])} />
        </Group>
      </Group>
      {OFFERED.map((family) => (
        <fieldset key={family.id} className={classes['family']}>
          <Text component="legend" size="sm" fw={600} style={{ float: 'left' }}>
            {family.name}
          </Text>
          <Choice family={family} way="read" chosen={scopes} onToggle={toggle} />
          <Choice family={family} way="write" chosen={scopes} onToggle={toggle} />
        </fieldset>
      ))}
      {error !== undefined && <Input.Error>{error}</Input.Error>}
    </div>
  );
}

function Preset({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button size="compact-sm" variant="default" onClick={onClick}>
      {label}
    </Button>
  );
}

interface ChoiceProps {
  family: ScopeFamily;
  way: Way;
  chosen: Scope[];
  onToggle: (scope: Scope) => void;
}

function Choice({ family, way, chosen, onToggle }: ChoiceProps) {
  const words = family[way];
  if (words === null) return <span />;
  const scope = scopeOf(family.id, way);
  return (
    <Checkbox
      size="sm"
      label={words.charAt(0).toUpperCase() + words.slice(1)}
      title={scope}
      checked={chosen.includes(scope)}
      onChange={() => onToggle(scope)}
    />
  );
}
