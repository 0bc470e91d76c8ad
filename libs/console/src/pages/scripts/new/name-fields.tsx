import { SimpleGrid, TextInput } from '@mantine/core';
import { useState } from 'react';

import type { Problem } from '../../../api/problem.js';
import type { Draft } from './draft.js';
import { proposedSlug, slugProblem } from './slug.js';
import { useIsSlugTaken } from './use-is-slug-taken.js';

interface NameFieldsProps {
  draft: Draft;
  onChange: (patch: Partial<Draft>) => void;
  problem: Problem | null;
}

/** What the script is called. The slug follows the name until somebody writes another. */
export function NameFields({ draft, onChange, problem }: NameFieldsProps) {
  const { name, slug, description, exists } = draft;
  const follows = slug === proposedSlug(name);
  const [touched, setTouched] = useState(false);
  const taken = useIsSlugTaken(slug, !exists);
  const wrong = slugProblem(slug);
  const slugError =
    problem?.at('slug') ??
    (taken ? 'There is a script with this slug already.' : (touched || name !== '') && wrong);
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
      <TextInput
        label="Name"
        required
        maxLength={100}
        readOnly={exists}
        value={name}
        onChange={({ currentTarget }) =>
          onChange({
            name: currentTarget.value,
            ...(follows && !exists && { slug: proposedSlug(currentTarget.value) }),
          })
        }
        error={problem?.at('name')}
      />
      <TextInput
        label="Slug"
        description={
          exists
            ? 'The script is there now: its settings change its name.'
            : 'Its address; it cannot be changed later.'
        }
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        required
        readOnly={exists}
        autoCapitalize="off"
        spellCheck={false}
        value={slug}
        onBlur={() => setTouched(true)}
        onChange={({ currentTarget }) => onChange({ slug: currentTarget.value })}
        error={exists ? undefined : slugError || undefined}
      />
      <TextInput
        label="Description"
        maxLength={1000}
        readOnly={exists}
        value={description}
        onChange={({ currentTarget }) => onChange({ description: currentTarget.value })}
        error={problem?.at('description')}
      />
    </SimpleGrid>
  );
}
