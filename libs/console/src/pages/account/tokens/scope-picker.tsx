import { Button, Checkbox, Group, Input, Text } from '@mantine/core';

import {
  MCP_SCOPE,
  type Scope,
  type ScopeFamily,
  type Way,
  familiesOf,
  scopeOf,
  usedOf,
} from './scope-words.js';
import classes from './scope-picker.module.css';
import { useScopes } from './use-scopes.js';

interface Props {
  scopes: Scope[];
  onScopes: (scopes: Scope[]) => void;
  error?: string | undefined;
}

/** What a token or key may do, by family: reading and changing are chosen each by itself. */
export function ScopePicker({ scopes, onScopes, error }: Props) {
  const all = useScopes();
  const used = usedOf(all);
  const reading = used.filter((scope) => scope.endsWith(':read'));
  const toggle = (scope: Scope): void =>
    onScopes(scopes.includes(scope) ? scopes.filter((other) => other !== scope) : [...scopes, scope]);
  return (
    <div role="group" aria-label="Scopes">
      <Group justify="space-between" gap="xs" mb={4}>
        <Text fw={600} size="sm">
          What it may do
        </Text>
        <Group gap={4}>
          <Preset label="Read everything" onClick={() => onScopes(reading)} />
          <Preset label="Everything" onClick={() => onScopes(used)} />
          <Preset label="Nothing" onClick={() => onScopes([])} />
        </Group>
      </Group>
      {familiesOf(all).map((family) => (
        <fieldset key={family.id} className={classes['family']}>
          <Text component="legend" size="sm" fw={600} style={{ float: 'left' }}>
            {family.name}
          </Text>
          <Choice family={family} way="read" chosen={scopes} onToggle={toggle} />
          <Choice family={family} way="write" chosen={scopes} onToggle={toggle} />
        </fieldset>
      ))}
      <fieldset className={classes['family']}>
        <Text component="legend" size="sm" fw={600} style={{ float: 'left' }}>
          Agents by MCP
        </Text>
        <Checkbox
          size="sm"
          label="Connect to /mcp without a person"
          title={MCP_SCOPE}
          checked={scopes.includes(MCP_SCOPE)}
          onChange={() => toggle(MCP_SCOPE)}
        />
      </fieldset>
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
