import type { ApprovalRequest } from '@gatehouse/client/operations';
import { Skeleton, Text } from '@mantine/core';

import { Described } from '../../kit/described.js';
import { Moment } from '../../kit/moment.js';
import { ProblemNotice } from '../../kit/problem-notice.js';
import { runInputOf } from './approval.js';
import { hostFacts, inputFacts, marked, secretFacts, secretKey } from './changes.js';
import { Fact, Facts, MarkedList } from './facts.js';
import { FileChanges } from './file-changes.js';
import { InputTable } from './input-table.js';
import type { Versions } from './use-versions.js';

/** Everything that a yes lets happen, with what is new since the last one marked. */
export function WhatHappens({ request, versions }: { request: ApprovalRequest; versions: Versions }) {
  const { asked, version, before, script } = versions;
  const run = runInputOf(request);
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
            {script && ` · ${standing(script.publishedVersion, asked.number)}`}
          </Fact>
        )}
        {run && (
          <Fact name="Inputs">
            <InputTable facts={inputFacts(run.inputs, versions.inputsBefore)} />
          </Fact>
        )}
        {!asked && Object.keys(request.input).length > 0 && (
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
  const now = secretFacts(version);
  return (
    <MarkedList
      items={marked(now, before && secretFacts(before), secretKey)}
      none="none"
      show={({ name, to }) =>
        to === null ? (
          <>
            its code reads <b>{name}</b>
          </>
        ) : (
          <>
            may send <b>{name}</b> to {to.join(', ')}
          </>
        )
      }
    />
  );
}

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
