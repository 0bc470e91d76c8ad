import type { ModelMessage } from 'ai';

/** For a caller who may use no tool: an endpoint refuses calls where it is offered none. */
export function withoutCalls(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.flatMap((message): ModelMessage[] => {
    if (message.role === 'tool') return [];
    if (message.role !== 'assistant' || typeof message.content === 'string') return [message];
    const content = message.content.filter(({ type }) => type === 'text');
    return content.length === 0 ? [] : [{ role: 'assistant', content }];
  });
}
