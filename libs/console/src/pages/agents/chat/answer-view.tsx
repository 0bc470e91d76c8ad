import { Loader, Stack, Text } from '@mantine/core';

import { Markdown } from '../../../kit/markdown.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { CallRow } from './call-row.js';
import type { Answer } from './conversation.js';

/** What an agent has said and done so far. */
export function AnswerView({ answer: { parts, problem, isOver } }: { answer: Answer }) {
  return (
    <Stack gap="xs">
      {parts.map((part, place) =>
        part.kind === 'text' ? (
          <SaidText key={place} text={part.text} isWhole={isOver || place < parts.length - 1} />
        ) : (
          <CallRow key={place} call={part} isOver={isOver} />
        ),
      )}
      {!isOver && <Loader size="xs" type="dots" role="status" aria-label="The agent is answering" />}
      {problem !== null && <ProblemNotice error={problem} />}
      {isOver && parts.length === 0 && problem === null && (
        <Text size="sm" c="dimmed">
          Stopped.
        </Text>
      )}
    </Stack>
  );
}

/** What comes word by word is Markdown once it is whole. */
function SaidText({ text, isWhole }: { text: string; isWhole: boolean }) {
  const plain = (
    <Text size="sm" className="user-text" style={{ whiteSpace: 'pre-wrap' }}>
      {text}
    </Text>
  );
  return isWhole ? <Markdown text={text} meanwhile={plain} /> : plain;
}
