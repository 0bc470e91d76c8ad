import { Logger } from '@nestjs/common';

import { envelope } from '../../core/http/index.js';
import { stringifyJson } from '../../core/json/index.js';
import { problemOf } from '../../core/pipeline/index.js';
import type { ChatEvents, TellChat } from './chat-events.js';
import type { ChatDto } from './chat.dto.js';

/** Often enough that proxies keep the connection. */
const HEARTBEAT_MS = 10_000;

/**
 * An answer as server-sent events, which end with `done` or `error`. The work begins with the first event that is asked for.
 *
 * @param work tells what happens while it goes on
 */
export async function* chatStream(
  work: (tell: TellChat) => Promise<ChatDto>,
  requestId: string,
  baseUrl: string,
): AsyncGenerator<string> {
  const events = new EventQueue();
  const over = work((name, data) => events.add(name, data)).then(
    (answer) => events.addLast('done', answer),
    (error: unknown) => {
      const problem = problemOf(error);
      if (problem !== error) new Logger('Agents').error(error, { requestId });
      events.addLast('error', envelope(problem, requestId, baseUrl));
    },
  );
  let isOver = false;
  void over.finally(() => {
    isOver = true;
    events.wake();
  });
  for (;;) {
    const texts = events.takeAll();
    if (texts !== '') yield texts;
    else if (isOver) return;
    else if (!(await events.more(HEARTBEAT_MS))) yield ': still here\n\n';
  }
}

class EventQueue {
  private texts: string[] = [];
  private woken: (() => void) | null = null;
  private isClosed = false;

  add(name: keyof ChatEvents | 'error', data: object): void {
    if (this.isClosed) return;
    this.texts.push(`event: ${name}\ndata: ${stringifyJson(data)}\n\n`);
    this.wake();
  }

  /** Nothing may follow it: tools that were called may still tell of their runs. */
  addLast(name: 'done' | 'error', data: object): void {
    this.add(name, data);
    this.isClosed = true;
  }

  takeAll(): string {
    const all = this.texts.join('');
    this.texts = [];
    return all;
  }

  wake(): void {
    this.woken?.();
  }

  /** Waits until there is something to look at. False: there was nothing for so long. */
  async more(milliseconds: number): Promise<boolean> {
    if (this.texts.length > 0) return true;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.settle(resolve, false), milliseconds);
      this.woken = () => {
        clearTimeout(timer);
        this.settle(resolve, true);
      };
    });
  }

  private settle(resolve: (there: boolean) => void, there: boolean): void {
    this.woken = null;
    resolve(there);
  }
}
