import type { McpHttpHandler, ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';

/** What a client that listens is sent over time: each a whole server-sent event. */
export interface ListenFrames {
  acknowledged: string;
  /** The list of tools has changed. */
  changed: string;
  ended: string;
}

/**
 * A bus by which the frames are got that a stream of the SDK would send: it is told of one change, and ended. The SDK
 * exports nothing that writes them, and a stream of its own takes 73 KB for as long as a client listens. See
 * docs/decisions/agent-tools.md.
 */
export class SampleBus implements ServerEventBus {
  private listener: ((event: ServerEvent) => void) | null = null;

  subscribe(listener: (event: ServerEvent) => void): () => void {
    this.listener = listener;
    return () => undefined;
  }

  /** Nobody publishes here: changes come from the database. */
  publish(): void {}

  /**
   * null: the response is no stream that goes on, such as a refusal. Then nothing of it was read.
   *
   * @param handler whose bus this is
   */
  async framesOf(handler: McpHttpHandler, response: Response): Promise<ListenFrames | null> {
    if (!this.listener) return null;
    this.listener({ kind: 'tools_list_changed' });
    await handler.close();
    const frames = (await response.text()).split('\n\n').map((frame) => `${frame}\n\n`);
    const [acknowledged, changed, ended] = frames;
    return { acknowledged: acknowledged!, changed: changed!, ended: ended! };
  }
}
