import type { ClientCapabilities, ServerContext } from '@modelcontextprotocol/server';

/** By which name clients and this service say that they know tasks. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** What the client of a message says that it can do. Clients of the older version say it in another message: nothing, then. */
export interface ClientAbilities {
  tasks: boolean;
  /** It can show a person an address to open. */
  urlElicitation: boolean;
}

export function abilitiesOf({ mcpReq }: ServerContext): ClientAbilities {
  const envelope = mcpReq.envelope as Record<string, unknown> | undefined;
  const declared = envelope?.['io.modelcontextprotocol/clientCapabilities'] as ClientCapabilities | undefined;
  return {
    tasks: declared?.extensions?.[TASKS_EXTENSION] !== undefined,
    urlElicitation: declared?.elicitation?.url !== undefined,
  };
}
