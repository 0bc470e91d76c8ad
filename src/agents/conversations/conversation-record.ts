import { Database } from '../../core/database/index.js';
import { Conflict } from '../../core/errors/index.js';
import { cutToBytes, type HeldRunDto, storableText } from '../../runs/index.js';
import type { ChatRecord, RecordedCall } from '../chat/chat-record.js';
import type { ConversationEntry } from './conversation-entry.entity.js';
import { CONVERSATION_LIMITS } from './conversation-limits.js';
import type { ConversationsRepository, TurnKey } from './conversations.repository.js';

/** How full the conversation was when its turn began. */
interface Filling {
  entries: number;
  bytes: number;
}

/** Writes down what happens in one turn of a kept conversation, one thing after the other, under the number of the turn. */
export class ConversationRecord implements ChatRecord {
  readonly isKept = true;
  private readonly places = new Map<string, number>();
  private writing: Promise<void> = Promise.resolve();
  private failure: unknown = null;
  private spoken = '';
  private step = 1;
  private place: number;

  /** @param place of the next entry in the turn */
  constructor(
    private readonly repository: ConversationsRepository,
    private readonly database: Database,
    private readonly key: TurnKey,
    private readonly filled: Filling,
    place: number,
  ) {
    this.place = place;
  }

  get isFull(): boolean {
    const { bytesInTurn, entriesInTurn } = CONVERSATION_LIMITS;
    return this.failure !== null || this.filled.bytes >= bytesInTurn || this.filled.entries >= entriesInTurn;
  }

  say(delta: string): void {
    this.spoken += delta;
  }

  endStep(): void {
    const said = this.spoken.trim();
    this.spoken = '';
    if (said !== '') this.add({ kind: 'agent', content: kept(said) });
    this.step += 1;
  }

  call(id: string, { tool, script, input }: RecordedCall): void {
    const json = storableText(JSON.stringify(input) ?? 'null');
    const isLong = Buffer.byteLength(json) > CONVERSATION_LIMITS.bytesOfText;
    const place = this.add({ kind: 'call', tool: kept(tool), script, input: isLong ? '{}' : json });
    this.places.set(id, place);
  }

  run(id: string, run: HeldRunDto): void {
    const waits = run.status === 'awaiting_approval' || run.status === 'running';
    this.change(id, { runId: run.id, waits, ...(run.script.slug !== null && { script: run.script.slug }) });
  }

  result(id: string, text: string): void {
    this.change(id, { content: kept(text) });
  }

  /** @throws Conflict where the turn was taken away; what failed to be written otherwise */
  async written(): Promise<void> {
    if (this.spoken.trim() !== '') this.endStep();
    await this.writing;
    if (this.failure !== null) throw this.failure;
  }

  private add(entry: Pick<ConversationEntry, 'kind'> & Partial<ConversationEntry>): number {
    const place = this.place++;
    const { step } = this;
    const whole = {
      content: null,
      tool: null,
      input: null,
      script: null,
      runId: null,
      waits: false,
      ...entry,
    };
    const bytes = sizeOf(whole.content) + sizeOf(whole.input);
    this.write(1, bytes, () =>
      this.repository.addEntry({ conversationId: this.key.id, turn: this.key.turn, place, step, ...whole }),
    );
    return place;
  }

  private change(id: string, change: Parameters<ConversationsRepository['changeEntry']>[1]): void {
    const place = this.places.get(id);
    if (place === undefined) return;
    const entry = { conversationId: this.key.id, turn: this.key.turn, place };
    this.write(0, sizeOf(change.content), () => this.repository.changeEntry(entry, change));
  }

  /** Once something could not be written, nothing more is: the order would have a hole. */
  private write(entries: number, bytes: number, work: () => Promise<void>): void {
    this.filled.entries += entries;
    this.filled.bytes += bytes;
    this.writing = this.writing.then(async () => {
      if (this.failure !== null) return;
      try {
        await this.database.transaction(async () => {
          if (!(await this.repository.reserve(this.key, entries, bytes))) throw turnIsOver();
          await work();
        });
      } catch (error) {
        this.failure = error;
      }
    });
  }
}

function turnIsOver(): Conflict {
  return new Conflict('The conversation was deleted, or this turn has ended. Runs that were started go on.');
}

function kept(text: string): string {
  return cutToBytes(storableText(text), CONVERSATION_LIMITS.bytesOfText);
}

const sizeOf = (text: string | null | undefined): number => (text ? Buffer.byteLength(text) : 0);
