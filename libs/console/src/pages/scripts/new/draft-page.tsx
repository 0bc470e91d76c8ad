import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';

import { usePlace } from '../../../app/use-place.js';
import { confirmDestruction } from '../../../kit/confirm.js';
import { notifyDone } from '../../../kit/notify.js';
import { type Crumb, Page } from '../../../kit/page.js';
import type { Problem } from '../../../api/problem.js';
import type { Draft } from './draft.js';
import { DraftActions } from './draft-actions.js';
import { FiledNotice } from './filed-notice.js';
import classes from './new.module.css';
import { MakingProblem } from './making-problem.js';
import { NewerVersionNotice, TakenInNotice } from './newer-version-notice.js';
import { StepWords } from './step-words.js';
import { isOverNewer, useNewerVersion } from './use-newer-version.js';
import { usePublishing } from './use-publishing.js';
import type { StoredDraft } from './use-stored-draft.js';
import { useTestRun } from './use-test-run.js';
import { VersionDialog } from './version-dialog.js';
import { Workbench } from './workbench.js';

interface DraftPageProps {
  title: string;
  crumbs: Crumb[];
  stored: StoredDraft & { draft: Draft };
  /** Paths of the archive that a draft cannot hold. */
  leftOut: string[];
  /** The version that was asked for, where this is a draft of another one. */
  otherVersion?: number | undefined;
  /** Why no version can be made yet. */
  blocked: string | null;
  /** What is begun anew with: `Start over`. */
  discard: { label: string; question: string };
  fields?: (problem: Problem | null) => ReactNode;
}

/** A draft on its way to a published version. */
export function DraftPage(props: DraftPageProps) {
  const { title, crumbs, stored, leftOut, otherVersion, blocked, discard, fields } = props;
  const { draft, change, restored, forget } = stored;
  const place = usePlace();
  const navigate = useNavigate();
  const onMade = (patch: Partial<Draft>): void => change((before) => ({ ...before, ...patch }));
  const test = useTestRun(onMade);
  const publishing = usePublishing(onMade);
  const newer = useNewerVersion(draft, change);
  const [filed, setFiled] = useState<{ requestId: string; version: number } | null>(null);
  /** The dialog keeps its words while it closes. */
  const [asked, setAsked] = useState<{ for: 'save' | 'publish'; isOpen: boolean }>({
    for: 'save',
    isOpen: false,
  });
  const ask = (what: 'save' | 'publish'): void => setAsked({ for: what, isOpen: true });
  const busy = test.step !== null || publishing.step !== null;
  const problem = publishing.problem ?? test.problem;
  const refused = isOverNewer(publishing.problem);
  const toScript = (): Promise<void> =>
    navigate({ to: '/w/$workspace/$environment/scripts/$slug', params: { ...place, slug: draft.slug } });

  const save = async (told: Draft): Promise<void> => {
    const made = await publishing.save(told);
    if (!made) return;
    notifyDone(`Version ${made.number} is made. Publish it when it is ready.`);
  };
  const publish = async (told: Draft): Promise<void> => {
    const done = await publishing.publish(told, newer.expected);
    // Where it was refused, it is over a version that no event has told of yet.
    if (!done) return void newer.look();
    if (done.requestId) return setFiled({ requestId: done.requestId, version: done.version });
    await toScript();
    await forget();
    notifyDone(`Version ${done.version} of ${draft.name} is published.`);
  };
  const startOver = (): void =>
    confirmDestruction({
      title: discard.question,
      children: 'What you changed here and have not made a version of is gone.',
      confirm: discard.label,
      onConfirm: () => void forget(),
    });

  if (filed) return <FiledNotice {...filed} draft={draft} onLeave={() => void toScript().then(forget)} />;
  return (
    <Page
      title={title}
      crumbs={crumbs}
      className={classes['page']}
      actions={
        <>
          <Button variant="subtle" color="gray" disabled={busy} onClick={startOver}>
            {discard.label}
          </Button>
          <DraftActions
            busy={busy}
            blocked={blocked !== null}
            onSave={() => ask('save')}
            onPublish={() => ask('publish')}
          />
        </>
      }
    >
      <Stack gap="sm">
        {restored && (
          <Alert color="blue" variant="light" role="status">
            <Text size="sm">This is what you were working on in this browser. Nothing was lost.</Text>
          </Alert>
        )}
        {otherVersion !== undefined && (
          <Alert color="blue" variant="light" role="status">
            <Text size="sm">
              You had begun this draft before. Discard your changes to edit version {otherVersion}.
            </Text>
          </Alert>
        )}
        {leftOut.length > 0 && <LeftOut paths={leftOut} />}
        {publishing.step !== null && (
          <Group>
            <StepWords words={publishing.step} />
          </Group>
        )}
        {newer.number !== null && draft.base && (
          <NewerVersionNotice
            key={newer.number}
            newer={{ ...newer, number: newer.number }}
            base={draft.base.version}
            refused={refused}
          />
        )}
        {newer.taken && <TakenInNotice {...newer.taken} />}
        {publishing.problem !== null && !refused && <MakingProblem error={publishing.problem} />}
        <Workbench
          draft={draft}
          change={change}
          test={test}
          blocked={blocked}
          problem={problem}
          onSave={() => !busy && blocked === null && ask('save')}
        >
          {fields?.(problem as Problem | null)}
        </Workbench>
        <VersionDialog
          title={asked.for === 'save' ? 'Make a version' : `Publish ${draft.name}`}
          submitLabel={asked.for === 'save' ? 'Make a version' : 'Publish'}
          message={draft.message ?? ''}
          opened={asked.isOpen}
          onClose={() => setAsked({ ...asked, isOpen: false })}
          onMessage={(message) => {
            onMade({ message });
            void (asked.for === 'save' ? save : publish)({ ...draft, message });
          }}
        />
      </Stack>
    </Page>
  );
}

function LeftOut({ paths }: { paths: string[] }) {
  const named = paths.slice(0, 3).join(', ');
  return (
    <Alert color="yellow" variant="light" title="Links are left out">
      <Text size="sm" className="user-text">
        A draft holds files only, so {named}
        {paths.length > 3 && ` and ${paths.length - 3} more`} will not be in the next version.
      </Text>
    </Alert>
  );
}
