import type { ApprovalRequest, ScriptVersion } from '@gatehouse/client/operations';
import { Skeleton, Text } from '@mantine/core';

import { visible } from '../../../../egress/visible-text.js';
import { Described } from '../../kit/described.js';
import { Moment } from '../../kit/moment.js';
import { ProblemNotice } from '../../kit/problem-notice.js';
import { besidesOf, runInputOf } from './approval.js';
import { secretLines } from '../scripts/versions/permissions.js';
import { runningLines } from '../scripts/versions/version-lines.js';
import { WithNames } from '../scripts/versions/with-names.js';
import { hostFacts, inputFacts, type Marked, marked } from './changes.js';
import { Fact, Facts, MarkedList } from './facts.js';
import { FileChanges } from './file-changes.js';
import { InputTable } from './input-table.js';
import { SentRequest, sentInputOf } from './sent-request.js';
import type { Versions } from './use-versions.js';

/** Everything that a yes lets happen, with what is new since the last one marked. */
export function WhatHappens({ request, versions }: { request: ApprovalRequest; versions: Versions }) {
  const { asked, version, before, script } = versions;
  const run = runInputOf(request);
  const besides = run ? inputFacts(besidesOf(run), null) : [];
  const sent = sentInputOf(request);
  const reach = run ?? version;
  return (
    <>
      {!asked && <Text className="user-text">{request.summary}</Text>}
      <Facts>
        {!run && <Why reason={request.reason} />}
        {asked && (
          <Fact name="Script">
            {script ? `${script.name} (${asked.slug})` : asked.slug}, version {asked.number}
            {run?.test && ', as a test'}
            {run?.plan && ', as a plan: it only reads'}
            {script && ` · ${standing(script.publishedVersion, asked.number)}`}
          </Fact>
        )}
        {run && (
          <Fact name="Inputs">
            <InputTable facts={inputFacts(run.inputs, versions.inputsBefore)} />
          </Fact>
        )}
        {besides.length > 0 && (
          <Fact name="When and how often">
            <InputTable facts={besides} />
          </Fact>
        )}
        {sent && <SentRequest sent={sent} />}
        {!asked && !sent && Object.keys(request.input).length > 0 && (
          <Fact name="In detail">
            <InputTable facts={inputFacts(request.input, null)} />
          </Fact>
        )}
        {reach && (
          <Fact name="May reach">
            <MarkedList
              items={marked(hostFacts(reach), before && hostFacts(before))}
              none="nothing on the network"
              show={(host) => host}
            />
          </Fact>
        )}
        {asked && (
          <Fact name="Secrets">
            <Secrets versions={versions} />
          </Fact>
        )}
        {version && <HowItRuns version={version} before={before} onlyChanges={run !== null} />}
        {asked && (
          <Fact name="Difference">
            <Difference versions={versions} />
          </Fact>
        )}
        {run && <Why reason={request.reason} />}
      </Facts>
      {versions.error && (
        <ProblemNotice error={versions.error} title="Not all of what will happen could be read" />
      )}
    </>
  );
}

function Why({ reason }: { reason: string }) {
  return (
    <Fact name="Why">
      <span style={{ whiteSpace: 'pre-wrap' }}>
        <Described text={reason} />
      </span>
    </Fact>
  );
}

function standing(published: number | null, number: number): string {
  if (published === number) return 'the one that runs use now';
  return published === null ? 'never published' : `runs use version ${published} now`;
}

function Secrets({ versions: { version, before, pending } }: { versions: Versions }) {
  if (!version) return pending ? <Skeleton height={20} width="60%" /> : 'could not be read';
  return <Lines lines={marked(secretLines(version), before && secretLines(before))} />;
}

/** Command, limits, inputs and all else of a version; of a run only what is not as it was approved before. */
function HowItRuns({
  version,
  before,
  onlyChanges,
}: Pick<Versions, 'before'> & { version: ScriptVersion; onlyChanges: boolean }) {
  const lines = marked(runningLines(version), before && runningLines(before));
  const shown = onlyChanges ? lines.filter(({ change }) => change !== 'same') : lines;
  if (shown.length === 0) return null;
  return (
    <Fact name="How it runs">
      <Lines lines={shown} />
    </Fact>
  );
}

const Lines = ({ lines }: { lines: Marked<string>[] }) => (
  <MarkedList items={lines} none="none" show={(line) => <WithNames text={visible(line)} />} />
);

function Difference({ versions }: { versions: Versions }) {
  const { asked, before, previous, pending } = versions;
  if (pending) return <Skeleton height={20} width="60%" />;
  if (!before) return 'Nothing was approved before that this could be compared with.';
  const same = before.number === asked?.number;
  return (
    <>
      {same ? 'The same version' : `Compared with version ${before.number}`}
      {previous ? (
        <>
          {same ? ' that ' : ', which '}
          {previous.decidedBy?.name ?? 'somebody'} approved{' '}
          {previous.decidedAt && <Moment at={previous.decidedAt} />}.
        </>
      ) : (
        ', which runs use now.'
      )}
      {!same && <FileChanges slug={asked!.slug} before={before.number} after={asked!.number} />}
    </>
  );
}
