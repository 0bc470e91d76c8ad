import { scriptsListOptions } from '@gatehouse/client/react-query';
import { MultiSelect, NativeSelect, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

/** Which scripts there are for an app: null for all that the person may see. */
export type ScriptChoice = { scripts: string[]; tags: string[] } | null;

interface Props {
  workspace: string;
  value: ScriptChoice;
  onChange: (choice: ScriptChoice) => void;
}

/** All, or those that are named here or have a tag. More than a hundred are found by what is typed. */
export function ChooseScripts({ workspace, value, onChange }: Props) {
  return (
    <Stack gap="xs">
      <NativeSelect
        label="Scripts"
        description="It neither runs nor sees any other, nor their runs and files."
        data={[
          { value: 'all', label: 'All that you may use' },
          { value: 'chosen', label: 'Only chosen ones' },
        ]}
        value={value === null ? 'all' : 'chosen'}
        onChange={({ currentTarget }) =>
          onChange(currentTarget.value === 'all' ? null : { scripts: [], tags: [] })
        }
      />
      {value !== null && <Chosen workspace={workspace} value={value} onChange={onChange} />}
    </Stack>
  );
}

function Chosen({ workspace, value, onChange }: Props & { value: NonNullable<ScriptChoice> }) {
  const [typed, setTyped] = useState('');
  const [wanted] = useDebouncedValue(typed, 200);
  const { data } = useQuery({
    ...scriptsListOptions({
      headers: { 'x-workspace': workspace },
      query: { limit: 100, ...(wanted && { q: wanted }) },
    }),
    placeholderData: keepPreviousData,
  });
  const found = data?.items ?? [];
  const { scripts, tags } = value;
  return (
    <>
      <MultiSelect
        label="By name"
        searchable
        hidePickedOptions
        maxValues={100}
        maxDropdownHeight={240}
        nothingFoundMessage="No such script"
        searchValue={typed}
        onSearchChange={setTyped}
        data={[...new Set([...scripts, ...found.map(({ slug }) => slug)])]}
        value={scripts}
        onChange={(next) => onChange({ scripts: next, tags })}
      />
      <MultiSelect
        label="By tag"
        description="Also scripts that get the tag later."
        searchable
        hidePickedOptions
        maxValues={20}
        maxDropdownHeight={240}
        nothingFoundMessage="No such tag"
        data={[...new Set([...tags, ...found.flatMap((script) => script.tags)])]}
        value={tags}
        onChange={(next) => onChange({ scripts, tags: next })}
      />
    </>
  );
}
