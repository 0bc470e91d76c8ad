import type { HostRule } from '@gatehouse/client/operations';
import { Checkbox, NumberInput, Textarea, TextInput } from '@mantine/core';

import classes from './new.module.css';

interface PlannedResponseFieldsProps {
  planned: HostRule['plan'];
  onPlanned: (planned: HostRule['plan']) => void;
}

const JSON_TYPE = 'application/json';
const OK: HostRule['plan'] = { status: 200, body: null, contentType: null };

/** What requests of a rule get in a plan, where they are not sent. */
export function PlannedResponseFields({ planned, onPlanned }: PlannedResponseFieldsProps) {
  return (
    <div className={classes['secret']} style={{ marginTop: 'var(--mantine-spacing-xs)' }}>
      <Checkbox
        label="Has a response in a plan"
        description="Instead of 409, would have sent."
        checked={planned !== undefined}
        onChange={({ currentTarget: { checked } }) => onPlanned(checked ? OK : undefined)}
      />
      {planned && (
        <>
          <NumberInput
            label="Status in a plan"
            min={200}
            max={599}
            clampBehavior="blur"
            allowDecimal={false}
            value={planned.status || ''}
            onChange={(value) => onPlanned({ ...planned, status: Number(value) })}
          />
          <Textarea
            label="Body in a plan"
            placeholder="None"
            autosize
            maxRows={6}
            value={planned.body ?? ''}
            onChange={({ currentTarget: { value } }) =>
              onPlanned({
                ...planned,
                body: value || null,
                contentType: value ? (planned.contentType ?? JSON_TYPE) : null,
              })
            }
          />
          {planned.body !== null && (
            <TextInput
              label="Its type"
              placeholder={JSON_TYPE}
              value={planned.contentType ?? ''}
              onChange={({ currentTarget: { value } }) =>
                onPlanned({ ...planned, contentType: value || null })
              }
            />
          )}
        </>
      )}
    </div>
  );
}
