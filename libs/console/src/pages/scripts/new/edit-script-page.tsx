import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

import { useNavigationAway } from '../../../app/navigation-away.js';
import { usePlace } from '../../../app/use-place.js';
import { type Crumb, Page } from '../../../kit/page.js';
import { ProblemPage } from '../../../kit/problem-page.js';
import { DraftPage } from './draft-page.js';
import type { Draft } from './draft.js';
import { DraftElsewhere } from './draft-elsewhere.js';
import { loadedDraft } from './loaded-draft.js';
import { Start } from './start.js';
import { useStoredDraft } from './use-stored-draft.js';

/** The files and settings of a version, to make the next one of them. */
export function EditScriptPage() {
  useNavigationAway(true);
  const place = usePlace();
  const { slug = '' } = useParams({ strict: false });
  const { version } = useSearch({ from: '/w/$workspace/$environment/scripts/$slug/edit' });
  const stored = useStoredDraft(`${place.workspace}/${slug}`);
  const { ready, draft, begin } = stored;
  const [leftOut, setLeftOut] = useState<string[]>([]);
  const loading = useQuery({
    queryKey: ['draft of a version', place.workspace, slug, version],
    queryFn: () => loadedDraft(slug, version),
    enabled: ready && draft === null,
    // What is edited must not change under the one who edits it.
    staleTime: Infinity,
    gcTime: 0,
  });
  const { data } = loading;
  useEffect(() => {
    if (!data || draft !== null || !ready || isFirst(data.draft)) return;
    setLeftOut(data.leftOut);
    begin(data.draft);
  }, [data, draft, ready, begin]);

  const crumbs: Crumb[] = [
    { label: 'Scripts', link: { to: '/w/$workspace/$environment/scripts', params: place } },
    {
      label: draft?.name ?? slug,
      link: { to: '/w/$workspace/$environment/scripts/$slug', params: { ...place, slug } },
    },
  ];
  const title = draft?.base ? `Draft of version ${draft.base.version}` : `Edit ${draft?.name ?? slug}`;
  if (stored.editedAt === 'elsewhere')
    return <DraftElsewhere title={title} crumbs={crumbs} draft={draft} onTakeOver={stored.takeOver} />;
  if (loading.isError) return <ProblemPage error={loading.error} retry={() => void loading.refetch()} />;
  if (!draft) {
    return (
      <Page title={title} crumbs={crumbs}>
        {!data && <Skeleton height={420} aria-hidden />}
        {data && isFirst(data.draft) && (
          <Start
            onBegin={({ files, settings }, missing) => {
              setLeftOut(missing);
              begin({ ...data.draft, files, settings }, { keep: true });
            }}
          />
        )}
      </Page>
    );
  }
  return (
    <DraftPage
      title={title}
      crumbs={crumbs}
      stored={{ ...stored, draft }}
      leftOut={leftOut}
      otherVersion={isOther(draft, version) ? version : undefined}
      blocked={draft.files.length === 0 ? 'Add a file first.' : null}
      discard={{ label: 'Discard changes', question: `Discard your changes to ${draft.name}?` }}
    />
  );
}

/** It was begun with another version than the one that is asked for. */
function isOther({ base }: Draft, version: number | undefined): version is number {
  return version !== undefined && base !== null && base.version !== version;
}

/** The script has no version yet: it begins as a new one does. */
function isFirst({ files }: Draft): boolean {
  return files.length === 0;
}
