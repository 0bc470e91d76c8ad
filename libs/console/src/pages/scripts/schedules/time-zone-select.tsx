import { Select } from '@mantine/core';

const KNOWN = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
/** More than anyone scrolls through; the rest is found by typing. */
const MOST_SHOWN = 80;

/** The time zone that this browser is in. */
export const ownTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

interface TimeZoneSelectProps {
  value: string;
  onChange: (zone: string) => void;
  error?: string | undefined;
}

export function TimeZoneSelect({ value, onChange, error }: TimeZoneSelectProps) {
  return (
    <Select
      label="Time zone"
      description="Whose clocks count, daylight saving included"
      data={KNOWN.includes(value) ? KNOWN : [value, ...KNOWN]}
      value={value}
      onChange={(zone) => zone && onChange(zone)}
      searchable
      allowDeselect={false}
      limit={MOST_SHOWN}
      nothingFoundMessage="No time zone of that name"
      error={error}
    />
  );
}
