import { schedulesListOptions } from '@gatehouse/client/react-query';
import { Select, type SelectProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';

const MOST = 100;

/** A schedule of the environment, each with its script. */
export function ScheduleSelect(props: SelectProps) {
  const { data } = useQuery(schedulesListOptions({ query: { limit: MOST } }));
  const schedules = data?.items ?? [];
  return (
    <Select
      label="Schedule"
      description="Only of what it starts. None: whatever starts them."
      placeholder={schedules.length === 0 ? 'There is none' : 'Any start'}
      clearable
      searchable
      data={schedules.map(({ id, name, script }) => ({ value: id, label: `${script.slug}: ${name}` }))}
      {...props}
    />
  );
}
