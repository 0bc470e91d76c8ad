import type { AgentConversation } from './conversation.entity.js';
import type { ConversationCallDto, ConversationDetailDto, ConversationDto } from './conversation.dto.js';
import type { ConversationEntry } from './conversation-entry.entity.js';
import { type HistoryMessage, isHidden } from './conversation-history.js';

export function present({ id, title, turnUntil, ...row }: AgentConversation): ConversationDto {
  return {
    id,
    title,
    answering: turnUntil !== null && turnUntil.getTime() > Date.now(),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function presentDetail(
  conversation: AgentConversation,
  history: readonly HistoryMessage[],
  visible: ReadonlySet<string>,
): ConversationDetailDto {
  const messages = history.map(({ role, content, calls, createdAt }) => ({
    role,
    content,
    calls: calls.map((call) => presentCall(call, isHidden(call, visible))),
    createdAt: createdAt.toISOString(),
  }));
  return { ...present(conversation), messages };
}

function presentCall(call: ConversationEntry, hidden: boolean): ConversationCallDto {
  const { tool, script, input, content, runId, waits } = call;
  const name = tool === script && hidden ? 'a script' : tool!;
  if (hidden) return { tool: name, script: null, input: null, result: null, runId: null, waits: false };
  return { tool: name, script, input: JSON.parse(input ?? 'null') as unknown, result: content, runId, waits };
}
