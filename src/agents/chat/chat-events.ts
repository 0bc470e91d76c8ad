import type { HeldRunDto } from '../../runs/index.js';
import type { ChatDto } from './chat.dto.js';

/** What happens while an agent answers, as it is streamed: the name of the event, and its data. */
export interface ChatEvents {
  text: { delta: string };
  tool: { id: string; name: string; script: string | null; input: unknown };
  /** Again when the run's state has changed. */
  run: { id: string; tool: string; run: HeldRunDto };
  done: ChatDto;
}

export type TellChat = <Name extends keyof ChatEvents>(name: Name, data: ChatEvents[Name]) => void;
