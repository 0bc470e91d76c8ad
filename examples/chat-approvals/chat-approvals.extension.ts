import {
  type ApprovalNotice,
  Extension,
  type ExtensionSettings,
  NotificationChannel,
  type NotificationChannelProvider,
  type NotifiedRequest,
  Outbound,
  Unavailable,
} from '@gatehouse/extension';
import { type DynamicModule, Module } from '@nestjs/common';

/** `EXTENSION_CHAT_APPROVALS_WEB_HOOK` and `EXTENSION_CHAT_APPROVALS_WORKSPACE`. */
export class ChatRoom {
  constructor(
    /** The address that posts into the room. Whoever knows it may do so: a secret. */
    readonly webHook: string,
    /** Whose approvals are asked for there. Others' are none of the room's business. */
    readonly workspace: string,
  ) {}
}

/** Posts what waits for a decision into a room of a chat that takes incoming webhooks, as Slack and Mattermost do. */
@NotificationChannel('chat_approvals')
export class ChatApprovals implements NotificationChannelProvider {
  constructor(
    private readonly room: ChatRoom,
    private readonly outbound: Outbound,
  ) {}

  async notify(notice: ApprovalNotice, { signal }: { signal: AbortSignal }): Promise<void> {
    if (notice.workspace.slug !== this.room.workspace) return;
    const response = await this.outbound.fetch(this.room.webHook, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: textOf(notice) }),
      signal,
    });
    if (!response.ok) throw new Unavailable(`The chat responded ${response.status}.`);
  }
}

function textOf({ requests, count, listUrl }: ApprovalNotice): string {
  const rest = count - requests.length;
  const more = rest > 0 ? [`And ${rest} more: ${listUrl}`] : [];
  return [...requests.map(paragraphOf), ...more].join('\n\n');
}

/** The links lead to the page, where whoever follows them signs in and decides. */
function paragraphOf({ summary, askedBy, reason, approveUrl, denyUrl }: NotifiedRequest): string {
  return [
    `*${escaped(summary)}*`,
    `${escaped(askedBy ?? 'An API key')} asks: ${escaped(reason)}`,
    `<${approveUrl}|Approve> or <${denyUrl}|deny>`,
  ].join('\n');
}

/** People chose these words: they must not become a link, or the mention of a whole room. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

@Extension({ name: 'chat-approvals' })
@Module({ providers: [ChatApprovals] })
export class ChatApprovalsExtension {
  static readonly version = '1.0.0';

  static for(webHook: string, workspace: string): DynamicModule {
    const room = { provide: ChatRoom, useValue: new ChatRoom(webHook, workspace) };
    return { module: ChatApprovalsExtension, providers: [room] };
  }
}

export default ({ webHook, workspace }: ExtensionSettings): DynamicModule => {
  if (!webHook || !workspace) throw new Error('Set EXTENSION_CHAT_APPROVALS_WEB_HOOK and …_WORKSPACE.');
  return ChatApprovalsExtension.for(webHook, workspace);
};
