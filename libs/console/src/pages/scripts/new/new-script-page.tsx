import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

import { useNavigationAway } from '../../../app/navigation-away.js';
import { usePlace, useRights } from '../../../app/use-place.js';
import { Empty } from '../../../kit/empty.js';
import { type Crumb, Page } from '../../../kit/page.js';
import type { Draft } from './draft.js';
import { DraftElsewhere } from './draft-elsewhere.js';
import { DraftPage } from './draft-page.js';
import { NameFields } from './name-fields.js';
import { proposedSlug, slugProblem } from './slug.js';
import { Start } from './start.js';
import { TEMPLATES, templateDraft } from './templates.js';
import { useStoredDraft } from './use-stored-draft.js';

export function NewScriptPage() {
  const place = usePlace();
  const { edits } = useRights();
  const stored = useStoredDraft(`${place.workspace}/+new`);
  useNavigationAway(stored.draft !== null);
  const [leftOut, setLeftOut] = useState<string[]>([]);
  const begin = (draft: Draft): void =>
    stored.begin({ ...draft, slug: proposedSlug(draft.name) }, { keep: true });
  const isHere = stored.editedAt === 'here';
  useTemplateOfAddress(isHere && stored.ready && stored.draft === null, begin);
  const crumbs: Crumb[] = [
    { label: 'Scripts', link: { to: '/w/$workspace/$environment/scripts', params: place } },
  ];

  if (!edits) {
    return (
      <Page title="New script" crumbs={crumbs}>
        <Empty title="Guests make no scripts">Ask an owner or admin to make you a member.</Empty>
      </Page>
    );
  }
  if (!stored.ready) return <Page title="New script" crumbs={crumbs} children={null} />;
  const { draft } = stored;
  if (!isHere)
    return <DraftElsewhere title="New script" crumbs={crumbs} draft={draft} onTakeOver={stored.takeOver} />;
  if (!draft) {
    return (
      <Page title="New script" crumbs={crumbs}>
        <Start
          onBegin={(begun, missing) => {
            setLeftOut(missing);
            begin(begun);
          }}
        />
      </Page>
    );
  }
  return (
    <DraftPage
      title={draft.name.trim() || 'New script'}
      crumbs={crumbs}
      stored={{ ...stored, draft }}
      leftOut={leftOut}
      blocked={whyNot(draft)}
      discard={{ label: 'Start over', question: 'Start over with another script?' }}
      fields={(problem) => (
        <NameFields
          draft={draft}
          onChange={(patch) => stored.change((before) => ({ ...before, ...patch }))}
          problem={problem}
        />
      )}
    />
  );
}

/** Begins as the template that the page's address names (`?template=`), once. */
function useTemplateOfAddress(mayBegin: boolean, begin: (draft: Draft) => void): void {
  const { template: id } = useSearch({ strict: false });
  const navigate = useNavigate();
  const isAsked = mayBegin && id !== undefined;
  useEffect(() => {
    if (!isAsked) return;
    const template = TEMPLATES.find((known) => known.id === id);
    if (template) begin(templateDraft(template));
    void navigate({ to: '.', search: {}, replace: true });
    // Only when it is asked for: `begin` is another function each time.
  }, [isAsked]);
}

/** What is missing before a version can be made. */
function whyNot({ name, slug, files }: Draft): string | null {
  if (name.trim() === '') return 'Give the script a name first.';
  if (slugProblem(slug)) return 'Give the script a slug first.';
  return files.length === 0 ? 'Add a file first.' : null;
}
