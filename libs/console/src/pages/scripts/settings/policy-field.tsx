import type { Script } from '@gatehouse/client/operations';
import { Radio, Stack } from '@mantine/core';

import { useRights } from '../../../app/use-place.js';
import { POLICIES } from './script-fields.js';

type Policy = Script['approvalPolicy'];

const LABELS: Record<Policy, string> = {
  none: 'None',
  agents: 'Those that an agent starts',
  always: 'All, those of schedules and triggers included',
};

interface PolicyFieldProps {
  /** As it is saved: a lower one takes an owner or admin. */
  before: Policy;
  value: Policy;
  onChange: (policy: Policy) => void;
}

export function PolicyField({ before, value, onChange }: PolicyFieldProps) {
  const { administers } = useRights();
  const lower = (policy: Policy): boolean => POLICIES.indexOf(policy) < POLICIES.indexOf(before);
  return (
    <Radio.Group
      label="Which runs wait for a person"
      description={
        administers
          ? "The environment's policy counts as well; the stricter one wins."
          : "The environment's policy counts as well. Lowering this takes an owner or admin of this workspace."
      }
      value={value}
      onChange={(policy) => onChange(policy as Policy)}
    >
      <Stack gap={6} mt={6}>
        {POLICIES.map((policy) => (
          <Radio
            key={policy}
            value={policy}
            label={LABELS[policy]}
            disabled={!administers && lower(policy)}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
