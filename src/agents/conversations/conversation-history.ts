import type { AssistantContent, ModelMessage, ToolResultPart } from 'ai';

import { isObject } from '../../core/json/index.js';
import { nameForModel } from '../../tools/index.js';
import type { ConversationEntry } from './conversation-entry.entity.js';

/** What the person said, or what the agent said and did in one response of its model. */
export interface HistoryMessage {
  role: 'user' | 'assistant';
  content: string;
  calls: ConversationEntry[];
  createdAt: Date;
}

const HIDDEN = 'This is about a script that the person may not see any more. Go on without it.';
const BROKEN_OFF =
  'The call was broken off. Whether it did anything is not known: look before you repeat it.';

/** @param entries in the order of turn, step and place */
export function historyOf(entries: readonly ConversationEntry[]): HistoryMessage[] {
  const messages: HistoryMessage[] = [];
  let last = '';
  for (const entry of entries) {
    const { kind, turn, step, createdAt } = entry;
    const place = `${turn} ${step}`;
    if (place !== last) {
      messages.push({ role: kind === 'person' ? 'user' : 'assistant', content: '', calls: [], createdAt });
    }
    last = place;
    const message = messages.at(-1)!;
    if (kind === 'call') message.calls.push(entry);
    else message.content = [message.content, entry.content].filter(Boolean).join('\n\n');
  }
  return messages;
}

/** Whether somebody may see what a call gave: not where they lost the script that it is about. */
export function isHidden({ script }: ConversationEntry, visible: ReadonlySet<string>): boolean {
  return script !== null && !visible.has(script);
}

/**
 * The conversation as a model is told of it: each call with its result, whatever happened meanwhile.
 *
 * @param visible the slugs of scripts that exist for the person now
 */
export function forModel(messages: readonly HistoryMessage[], visible: ReadonlySet<string>): ModelMessage[] {
  return messages.flatMap(({ role, content, calls }): ModelMessage[] => {
    if (role === 'user') return [{ role, content }];
    const said: Exclude<AssistantContent, string> = content === '' ? [] : [{ type: 'text', text: content }];
    const results: ToolResultPart[] = [];
    for (const call of calls) {
      // An id of our own: those of the model's endpoint need not be the only ones of their kind.
      const toolCallId = `call_${call.turn}_${call.place}`;
      const toolName = nameForModel(call.tool!);
      const hidden = isHidden(call, visible);
      const value = hidden ? HIDDEN : (call.content ?? BROKEN_OFF);
      said.push({ type: 'tool-call', toolCallId, toolName, input: hidden ? {} : inputOf(call) });
      results.push({ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value } });
    }
    if (said.length === 0) return [];
    const answer: ModelMessage = { role: 'assistant', content: said };
    return results.length === 0 ? [answer] : [answer, { role: 'tool', content: results }];
  });
}

/** An object in any case: models send what they like, and endpoints take nothing else. */
function inputOf({ input }: ConversationEntry): object {
  const value = JSON.parse(input ?? '{}') as unknown;
  return isObject(value) ? value : {};
}
