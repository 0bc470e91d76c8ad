import { Skeleton, Stack } from '@mantine/core';
import { type ReactNode, Suspense, lazy } from 'react';

const Form = lazy(() => import('./run-form/form.js'));

export interface RunFormProps {
  /** The JSON Schema of the inputs; null for a script that takes none. */
  schema: Record<string, unknown> | null;
  inputs: Record<string, unknown>;
  /** Also called once at the beginning, if the schema has defaults that are not in the inputs. */
  onInputs: (inputs: Record<string, unknown>) => void;
  /** Why the service refused the last attempt: shown at the fields that it is about. */
  problem?: unknown;
  busy?: boolean;
  submitLabel: string;
  /** Called when the inputs fit the schema. */
  onSubmit: (inputs: Record<string, unknown>) => void;
  /** Stands beside the button. */
  children?: ReactNode;
}

/** A form for the inputs of a script, made from their JSON Schema. */
export function RunForm(props: RunFormProps) {
  const fields = Object.keys((props.schema?.['properties'] as object | undefined) ?? {}).length;
  return (
    <Suspense fallback={<FormSkeleton fields={fields} />}>
      <Form {...props} />
    </Suspense>
  );
}

function FormSkeleton({ fields }: { fields: number }) {
  return (
    <Stack gap="md" aria-hidden>
      {Array.from({ length: fields }, (_, index) => (
        <Skeleton key={index} height={58} />
      ))}
      <Skeleton height={36} width={120} />
    </Stack>
  );
}
