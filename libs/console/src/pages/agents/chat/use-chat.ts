import { useCallback, useEffect, useRef, useState } from 'react';

import { Problem } from '../../../api/problem.js';
import { postForEvents } from '../../../api/server-events.js';
import { type Answer, type Entry, heard, messagesOf, newAnswer } from './conversation.js';

/** A conversation with an agent, kept on this page alone. */
export function useChat(agent: string) {
  const [entries, setEntries] = useState<Entry[]>([]);
  const underWay = useRef<AbortController | null>(null);
  useEffect(() => () => underWay.current?.abort(), []);

  const send = useCallback(
    async (content: string): Promise<void> => {
      const before: Entry[] = [...entries, { role: 'user', content }];
      let answer = newAnswer();
      const show = (next: Answer): void => {
        answer = next;
        setEntries([...before, next]);
      };
      show(answer);
      const abort = new AbortController();
      underWay.current = abort;
      try {
        const path = `/v1/agents/${encodeURIComponent(agent)}/chat`;
        for await (const event of postForEvents(path, { messages: messagesOf(before) }, abort.signal)) {
          if (event.event === 'error') throw toldBy(event.data);
          show(heard(answer, event));
        }
      } catch (error) {
        if (!abort.signal.aborted) show({ ...answer, problem: error });
      } finally {
        show({ ...answer, isOver: true });
        underWay.current = null;
      }
    },
    [agent, entries],
  );
  const last = entries.at(-1);
  const isBusy = last?.role === 'assistant' && !last.isOver;
  return { entries, isBusy, send, stop: () => underWay.current?.abort() };
}

/** The problem that ended a stream: its status was sent before. */
function toldBy(data: unknown): Problem {
  const { code, message, requestId } = (data as { error: Pick<Problem, 'code' | 'message' | 'requestId'> })
    .error;
  return new Problem({ status: 503, code, message, requestId });
}
