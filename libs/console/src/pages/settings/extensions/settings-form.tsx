import type { SettingsForm as Declared } from '@gatehouse/client/operations';
import { Box, Skeleton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';

import { askForJson } from '../../../api/ask.js';
import { usePlace } from '../../../app/use-place.js';
import { notifyDone } from '../../../kit/notify.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { RunForm } from '../../../kit/run-form.js';
import { atFields, drawnSchema, knownValues } from './form-values.js';

type Values = Record<string, unknown>;

/** A form that an extension declares: its route gives the values, and takes them. */
export function SettingsForm({ form: { path, schema } }: { form: Declared }) {
  const place = usePlace();
  const queries = useQueryClient();
  const drawn = useMemo(() => drawnSchema(schema), [schema]);
  const [typed, setTyped] = useState<Values | null>(null);
  const queryKey = ['extension-settings', place, path];
  const stored = useQuery({
    queryKey,
    queryFn: async () => knownValues(await askForJson({ method: 'GET', path }), schema),
    // What is typed is not to be written over.
    staleTime: Infinity,
    gcTime: 0,
  });
  const save = useMutation({
    mutationFn: (body: Values) => askForJson({ method: 'PUT', path, body }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey });
      setTyped(null);
      notifyDone('Saved.');
    },
  });
  const problem = useMemo(() => atFields(save.error, schema), [save.error, schema]);

  if (stored.isPending) return <Skeleton height={180} aria-hidden />;
  if (stored.isError) return <ProblemNotice error={stored.error} onRetry={stored.refetch} />;
  return (
    <Box maw={560}>
      <RunForm
        schema={drawn}
        inputs={typed ?? stored.data}
        onInputs={setTyped}
        problem={problem}
        busy={save.isPending}
        submitLabel="Save"
        onSubmit={(values) => save.mutate(values)}
      />
    </Box>
  );
}
