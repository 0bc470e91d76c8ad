import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';

import { isProblem } from '../../api/problem.js';
import { fileChanges, versionFilesOptions } from '../../kit/archive/version-files.js';
import { ProblemNotice } from '../../kit/problem-notice.js';
import { ChangedFile } from './changed-file.js';
import classes from './facts.module.css';

interface Versions {
  slug: string;
  before: number;
  after: number;
}

/** The files that differ; each opens to show how. */
export function FileChanges({ slug, before, after }: Versions) {
  const old = useQuery(versionFilesOptions(slug, before));
  const now = useQuery(versionFilesOptions(slug, after));
  const failed = [old, now].find(({ error }) => error !== null);
  if (isProblem(failed?.error, 'not_found')) return null;
  if (failed) return <ProblemNotice error={failed.error} onRetry={failed.refetch} />;
  if (!old.data || !now.data) return <Skeleton height={20} width="60%" mt={4} />;
  const changes = fileChanges(old.data, now.data);
  if (changes.length === 0) return <Text size="sm">No file differs.</Text>;
  return (
    <ul className={classes['list']} style={{ marginTop: 6 }}>
      {changes.map((change) => (
        <ChangedFile key={change.path} change={change} />
      ))}
    </ul>
  );
}
