import { conversationsCreate, conversationsGet } from '@gatehouse/client/operations';
import { useCallback, useEffect, useRef, useState } from 'react';

import { Problem } from '../../../api/problem.js';
import { postForEvents } from '../../../api/server-events.js';
import { useRefresh } from '../../../kit/use-refresh.js';
import { notifyProblem } from '../../../kit/notify.js';
import { type Answer, type Entry, entriesOf, heard, newAnswer } from './conversation.js';

const GO_ON = 'Go on, now that the run has ended.';

/** A conversation with an agent that the service keeps; a new one begins with its first message. */
export function useChat(agent: string) {
  const [id, setId] = useState<string | null>(null);
  const [entries, setEntries] = useState<Entry[]>([]);
  const underWay = useRef<AbortController | null>(null);
  const refresh = useRefresh();
  useEffect(() => () => underWay.current?.abort(), []);

  const open = useCallback(
    async (chosen: string | null): Promise<void> => {
      underWay.current?.abort();
      setId(chosen);
      setEntries([]);
      if (chosen === null) return;
      await conversationsGet({ path: { agent, id: chosen } }).then(
        ({ data }) => setEntries(entriesOf(data.messages)),
        notifyProblem,
      );
    },
    [agent],
  );

  /** @param content null: the agent goes on after a run for which it waited */
  const send = useCallback(
    async (content: string | null): Promise<void> => {
      const before: Entry[] = [...entries, { role: 'user', content: content ?? GO_ON }];
      let answer = newAnswer();
      const show = (next: Answer): void => {
        answer = next;
        setEntries([...before, next]);
      };
      show(answer);
      const abort = new AbortController();
      underWay.current = abort;
      try {
        const kept = id ?? (await conversationsCreate({ path: { agent } })).data.id;
        setId(kept);
        const path = `/v1/agents/${encodeURIComponent(agent)}/conversations/${kept}/messages`;
        const body = content === null ? {} : { content };
        for await (const event of postForEvents(path, body, abort.signal)) {
          if (event.event === 'error') throw toldBy(event.data);
          show(heard(answer, event));
        }
      } catch (error) {
        if (!abort.signal.aborted) show({ ...answer, problem: error });
      } finally {
        // Somebody who has opened another conversation meanwhile sees that one.
        if (underWay.current === abort) {
          show({ ...answer, isOver: true });
          underWay.current = null;
        }
        await refresh('conversationsList', 'agentsUsage');
      }
    },
    [agent, entries, id, refresh],
  );
  const last = entries.at(-1);
  const isBusy = last?.role === 'assistant' && !last.isOver;
  return { id, entries, isBusy, open, send, stop: () => underWay.current?.abort() };
}

/** The problem that ended a stream: its status was sent before. */
function toldBy(data: unknown): Problem {
  const { code, message, requestId } = (data as { error: Pick<Problem, 'code' | 'message' | 'requestId'> })
    .error;
  return new Problem({ status: 503, code, message, requestId });
}
