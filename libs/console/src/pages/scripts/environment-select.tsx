import { environmentsListOptions } from '@gatehouse/client/react-query';
import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';

import { DEFAULT_ENVIRONMENT } from '../../api/place.js';
import { usePlace } from '../../app/use-place.js';

interface EnvironmentSelectProps {
  description: string;
  /** The name; empty: the environment of the page. */
  value: string;
  onChange: (name: string) => void;
  error?: string | undefined;
}

export function EnvironmentSelect({ description, value, onChange, error }: EnvironmentSelectProps) {
  const { environment } = usePlace();
  const { data } = useQuery(environmentsListOptions({ query: { limit: 100 } }));
  const environments = data?.items ?? [];
  const here = environments.find(({ name, isDefault }) =>
    environment === DEFAULT_ENVIRONMENT ? isDefault : name === environment,
  );
  return (
    <Select
      label="Environment"
      description={description}
      data={environments.map(({ name }) => name)}
      value={value || (here?.name ?? null)}
      onChange={(name) => name && onChange(name)}
      allowDeselect={false}
      error={error}
    />
  );
}
