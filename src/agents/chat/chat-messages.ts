import { type ErrorDetail, InvalidRequest } from '../../core/errors/index.js';
import { RawJson } from '../../core/json/index.js';

export const MOST_MESSAGES = 200;
export const MOST_CHARACTERS = 100_000;
const MOST_BYTES = 400 * 1024;

export const CHAT_ROLES = ['user', 'assistant'] as const;

interface ChatMessage {
  role: (typeof CHAT_ROLES)[number];
  content: string;
}

/**
 * The messages of a request. Only what people and agents say: a `system` message would rewrite the agent's instructions,
 * and a `tool` message would invent the result of a run.
 *
 * @throws InvalidRequest naming each place
 */
export function parseMessages(sent: unknown): ChatMessage[] {
  const messages = sent instanceof RawJson ? (JSON.parse(sent.text) as unknown) : sent;
  if (!Array.isArray(messages)) throw InvalidRequest.at('messages', 'must be an array');
  if (messages.length === 0 || messages.length > MOST_MESSAGES) {
    throw InvalidRequest.at('messages', `must hold 1 to ${MOST_MESSAGES} messages`);
  }
  const details = messages.flatMap((message, place) => problemsOf(message, `messages.${place}`));
  if (details.length > 0) {
    throw InvalidRequest.listing(details);
  }
  const parsed = messages as ChatMessage[];
  const bytes = parsed.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
  if (bytes > MOST_BYTES) {
    throw InvalidRequest.at('messages', `hold ${bytes} bytes of text; the most is ${MOST_BYTES}`);
  }
  if (parsed.at(-1)!.role !== 'user') {
    throw InvalidRequest.at(`messages.${parsed.length - 1}.role`, 'must be "user" in the last message');
  }
  return parsed;
}

function problemsOf(message: unknown, path: string): ErrorDetail[] {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    return [{ path, message: 'must be an object' }];
  }
  const { role, content, ...unknown } = message as Record<string, unknown>;
  const details: ErrorDetail[] = [];
  if (!CHAT_ROLES.some((known) => known === role)) {
    details.push({ path: `${path}.role`, message: 'must be "user" or "assistant"' });
  }
  if (typeof content !== 'string' || content.length === 0 || content.length > MOST_CHARACTERS) {
    details.push({
      path: `${path}.content`,
      message: `must be a text of 1 to ${MOST_CHARACTERS} characters`,
    });
  }
  for (const name of Object.keys(unknown)) {
    details.push({ path: `${path}.${name}`, message: 'is not a field of this request' });
  }
  return details;
}
