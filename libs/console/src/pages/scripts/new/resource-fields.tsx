import type { ResourcesInput } from '@gatehouse/client/operations';
import { NumberInput, SimpleGrid } from '@mantine/core';

const FIELDS = [
  { name: 'memory', label: 'Memory', description: 'MiB', usual: '512', min: 64 },
  { name: 'cpus', label: 'Processors', description: 'of time', usual: 'all there are', min: 0.1 },
  { name: 'processes', label: 'Processes', description: 'and threads', usual: '128', min: 16 },
  { name: 'tmp', label: 'Room in /tmp', description: 'MiB, of the memory', usual: '256', min: 1 },
] as const;

interface ResourceFieldsProps {
  /** What is not there is as usual. */
  value: ResourcesInput;
  onChange: (value: ResourcesInput) => void;
  problemAt: (field: string) => string | undefined;
}

/** What the box of a run may use. */
export function ResourceFields({ value, onChange, problemAt }: ResourceFieldsProps) {
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
      {FIELDS.map(({ name, label, description, usual, min }) => (
        <NumberInput
          key={name}
          label={label}
          description={description}
          placeholder={usual}
          min={min}
          allowDecimal={name === 'cpus'}
          value={value[name] ?? ''}
          onChange={(given) => {
            const { [name]: _, ...others } = value;
            onChange(typeof given === 'number' ? { ...others, [name]: given } : others);
          }}
          error={problemAt(`resources.${name}`)}
        />
      ))}
    </SimpleGrid>
  );
}
