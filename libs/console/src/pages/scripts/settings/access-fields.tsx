import { teamsListOptions } from '@gatehouse/client/react-query';
import { MultiSelect, Radio, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';

import { useRights } from '../../../app/use-place.js';
import type { ScriptFields } from './script-fields.js';

interface AccessFieldsProps {
  /** As it is saved: opening it further takes an owner or admin. */
  before: ScriptFields;
  fields: ScriptFields;
  onChange: (changed: Partial<ScriptFields>) => void;
  errorAt: (path: string) => string | undefined;
}

export function AccessFields({ before, fields, onChange, errorAt }: AccessFieldsProps) {
  const { administers } = useRights();
  const { data } = useQuery(teamsListOptions({ query: { limit: 100 } }));
  const mayOpen = administers || before.access === 'workspace';
  return (
    <Stack gap="xs">
      <Radio.Group
        label="Who has it"
        description={
          administers ? undefined : 'Opening it to more people takes an owner or admin of this workspace.'
        }
        value={fields.access}
        onChange={(access) => onChange({ access: access as ScriptFields['access'] })}
        error={errorAt('access')}
      >
        <Stack gap={6} mt={6}>
          <Radio value="workspace" label="Everyone in the workspace but guests" disabled={!mayOpen} />
          <Radio value="teams" label="Only some teams, and owners and admins" />
        </Stack>
      </Radio.Group>
      {fields.access === 'teams' && (
        <MultiSelect
          label="Teams"
          description="Guests of these teams can run it too"
          data={(data?.items ?? []).map(({ id, name }) => ({
            value: id,
            label: name,
            disabled: !administers && before.access === 'teams' && !before.teamIds.includes(id),
          }))}
          value={fields.teamIds}
          onChange={(teamIds) => onChange({ teamIds })}
          error={errorAt('teamIds')}
          searchable
          required
        />
      )}
    </Stack>
  );
}
