import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';

import { isProblem } from '../../api/problem.js';
import { ProblemNotice } from '../../kit/problem-notice.js';
import { ChangedFile } from './changed-file.js';
import classes from './facts.module.css';
import { fileChanges, versionFiles } from './version-files.js';

interface Versions {
  slug: string;
  before: number;
  after: number;
}

/** The files that differ; each opens to show how. */
export function FileChanges({ slug, before, after }: Versions) {
  const { data, error } = useQuery({
    queryKey: [{ _id: 'versionsDifference', slug, before, after }],
    queryFn: async ({ signal }) => {
      const [old, now] = await Promise.all([
        versionFiles(slug, before, signal),
        versionFiles(slug, after, signal),
      ]);
      return { changes: fileChanges(old.items, now.items), partial: old.more || now.more };
    },
    staleTime: Infinity,
  });
  if (isProblem(error, 'not_found')) return null;
  if (error) return <ProblemNotice error={error} />;
  if (!data) return <Skeleton height={20} width="60%" mt={4} />;
  if (data.changes.length === 0) return <Text size="sm">No file differs.</Text>;
  return (
    <>
      <ul className={classes['list']} style={{ marginTop: 6 }}>
        {data.changes.map((change) => (
          <ChangedFile key={change.path} {...change} slug={slug} before={before} after={after} />
        ))}
      </ul>
      {data.partial && (
        <Text size="sm" c="dimmed">
          There are more files than can be compared here.
        </Text>
      )}
    </>
  );
}
