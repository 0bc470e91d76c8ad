import type { ApprovalRequest } from '@gatehouse/client/operations';
import { Code } from '@mantine/core';

import { Moment } from '../../kit/moment.js';
import { sizeText } from '../../kit/size-text.js';
import { Fact } from './facts.js';

/** What a request to send a request says of it. */
interface SentInput {
  script: string;
  version: number;
  environment: string;
  method: string;
  address: string;
  query: string | null;
  headers: string[];
  body: string | null;
  bodyBytes: number;
  bodyCut: boolean;
  bodySha256: string | null;
  lastApprovedAt: string | null;
  changes: string[];
  /** What was shown has gone with the run. */
  isForgotten?: true;
}

export function sentInputOf({ action, input }: Pick<ApprovalRequest, 'action' | 'input'>): SentInput | null {
  return action === 'request.send' ? (input as unknown as SentInput) : null;
}

/** The request that the gate holds, as far as anybody may see it. */
export function SentRequest({ sent }: { sent: SentInput }) {
  return (
    <>
      <Fact name="Script">
        {sent.script}, version {sent.version}, in {sent.environment}
      </Fact>
      <Fact name="Request">
        <Lines text={`${sent.method} ${sent.address}${sent.query === null ? '' : `?${sent.query}`}`} />
      </Fact>
      {sent.isForgotten ? (
        <Fact name="Body">
          {sizeText(sent.bodyBytes)}. What was shown is not kept any longer than its run.
        </Fact>
      ) : (
        <Shown sent={sent} />
      )}
    </>
  );
}

function Shown({ sent }: { sent: SentInput }) {
  return (
    <>
      <Fact name="Headers">
        <Lines text={sent.headers.join('\n')} />
      </Fact>
      <Fact name="Body">
        <Body sent={sent} />
      </Fact>
      <Fact name="Difference">
        {sent.lastApprovedAt === null ? (
          'No request of this script to the same place was approved before.'
        ) : (
          <>
            {sent.changes.length === 0
              ? 'The same as the one that was approved '
              : 'From the one that was approved '}
            <Moment at={sent.lastApprovedAt} />
            {sent.changes.length > 0 && <Lines text={sent.changes.join('\n')} />}
          </>
        )}
      </Fact>
    </>
  );
}

function Body({ sent: { body, bodyBytes, bodyCut, bodySha256 } }: { sent: SentInput }) {
  if (bodyBytes === 0) return 'none';
  const digest = `${sizeText(bodyBytes)}${bodySha256 === null ? '' : `, SHA-256 ${bodySha256}`}`;
  if (body === null) return `no text: ${digest}`;
  return (
    <>
      {bodyCut && `the beginning of ${digest}`}
      <Lines text={body} />
    </>
  );
}

function Lines({ text }: { text: string }) {
  return (
    <Code
      block
      tabIndex={0}
      mah={320}
      style={{ overflow: 'auto', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
    >
      {text}
    </Code>
  );
}
