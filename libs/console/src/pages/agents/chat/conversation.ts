import type { Chat, HeldRun } from '@gatehouse/client/operations';

import type { ServerEvent } from '../../../api/server-events.js';

/** What an agent says or does while it answers. */
export type Part =
  | { kind: 'text'; text: string }
  | { kind: 'call'; id: string; name: string; script: string | null; run: HeldRun | null };

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

/** What is sent with the next message: an answer that said nothing is left out, since none may be empty. */
export function messagesOf(entries: readonly Entry[]): { role: 'user' | 'assistant'; content: string }[] {
  return entries.map(({ role, content }) => ({ role, content })).filter(({ content }) => content !== '');
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
