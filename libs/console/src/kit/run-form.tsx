import { Skeleton, Stack } from '@mantine/core';
import { Suspense } from 'react';

import { lazily } from './lazily.js';
import type { RunFormProps } from './run-form/props.js';

const Form = lazily(() => import('./run-form/form.js'));

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
