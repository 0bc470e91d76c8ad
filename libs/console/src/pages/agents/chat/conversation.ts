import type { Chat, ConversationMessage, HeldRun } from '@gatehouse/client/operations';

import type { ServerEvent } from '../../../api/server-events.js';

/** What an agent says or does while it answers. */
export type Part =
  | { kind: 'text'; text: string }
  | {
      kind: 'call';
      id: string;
      name: string;
      script: string | null;
      run: HeldRun | null;
      runId?: string | null;
    };

export type Entry =
  | { role: 'user'; content: string }
  | { role: 'assistant'; content: string; parts: Part[]; problem: unknown; isOver: boolean };

export type Answer = Extract<Entry, { role: 'assistant' }>;

export const newAnswer = (): Answer => ({
  role: 'assistant',
  content: '',
  parts: [],
  problem: null,
  isOver: false,
});

/** The answer after an event of its stream. */
export function heard(answer: Answer, { event, data }: ServerEvent): Answer {
  switch (event) {
    case 'text':
      return withText(answer, (data as { delta: string }).delta);
    case 'tool': {
      const { id, name, script } = data as { id: string; name: string; script: string | null };
      return { ...answer, parts: [...answer.parts, { kind: 'call', id, name, script, run: null }] };
    }
    case 'run': {
      const { id, run } = data as { id: string; run: HeldRun };
      return { ...answer, parts: answer.parts.map((part) => withRun(part, id, run)) };
    }
    case 'done':
      return { ...answer, content: (data as Chat).message.content, isOver: true };
    default:
      return answer;
  }
}

/** A conversation as it is kept: what the agent said and did after each message is one answer. */
export function entriesOf(messages: readonly ConversationMessage[]): Entry[] {
  const entries: Entry[] = [];
  for (const { role, content, calls } of messages) {
    if (role === 'user') {
      entries.push({ role, content });
      continue;
    }
    const last = entries.at(-1);
    const before = last?.role === 'assistant' ? last : newAnswer();
    if (last?.role === 'assistant') entries.pop();
    const said: Part[] = content === '' ? [] : [{ kind: 'text', text: content }];
    const called = calls.map(({ tool, script, runId }, place): Part => ({
      kind: 'call',
      id: `${entries.length}.${before.parts.length + place}`,
      name: tool,
      script,
      run: null,
      // A tool that follows a run shows nothing of its own.
      runId: tool === script ? runId : null,
    }));
    const text = [before.content, content].filter((part) => part !== '').join('\n\n');
    entries.push({ ...before, content: text, parts: [...before.parts, ...said, ...called], isOver: true });
  }
  return entries;
}

/** Whether the agent has runs started, so that it may have to go on once one has ended. */
export function hasRuns(entries: readonly Entry[]): boolean {
  const last = entries.at(-1);
  if (last?.role !== 'assistant') return false;
  return last.parts.some((part) => part.kind === 'call' && Boolean(part.run ?? part.runId));
}

function withText(answer: Answer, delta: string): Answer {
  const last = answer.parts.at(-1);
  const content = answer.content + delta;
  if (last?.kind === 'text') {
    return {
      ...answer,
      content,
      parts: [...answer.parts.slice(0, -1), { ...last, text: last.text + delta }],
    };
  }
  return { ...answer, content, parts: [...answer.parts, { kind: 'text', text: delta.trimStart() }] };
}

/** A tool that waits for a run which another one started shows nothing of its own. */
function withRun(part: Part, id: string, run: HeldRun): Part {
  if (part.kind !== 'call') return part;
  return part.id === id || part.run?.id === run.id ? { ...part, run } : part;
}
