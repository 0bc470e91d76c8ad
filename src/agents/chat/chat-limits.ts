/** What one message may cost at most, besides the time that the operator gives it. */
export const CHAT_LIMITS = {
  /** Responses of the model, of which all but the last call tools. */
  turns: 12,
  /** Runs that are started. */
  runs: 20,
  /** Tokens, read and written, in all turns. */
  tokens: 100_000,
  /** Tokens that the model writes in a turn. */
  outputTokensPerTurn: 4_096,
  /** Tools that are called, in all turns. */
  calls: 100,
  /** Tools that are called at once. */
  callsAtOnce: 4,
} as const;

/** Why the agent said no more. */
export type Ending = 'answered' | 'turns' | 'calls' | 'runs' | 'tokens' | 'time' | 'refused' | 'budget';

const SENTENCES: Record<Exclude<Ending, 'time' | 'budget'>, string> = {
  answered: 'The agent had nothing to say.',
  turns: `The agent stopped after ${CHAT_LIMITS.turns} turns. Ask for less at once, or ask it to go on.`,
  calls: `The agent stopped after ${CHAT_LIMITS.calls} calls of tools. Ask for less at once, or ask it to go on.`,
  runs: `The agent stopped after ${CHAT_LIMITS.runs} runs. Ask for less at once, or ask it to go on.`,
  tokens: 'The agent stopped, since the conversation got too long. Begin a new one, or ask for less at once.',
  refused: 'The language model refused to answer this.',
};

/** What stands in an answer that would otherwise be empty. `seconds`: the time that it had. */
export function endingSentence({ ending, overBudget }: ChatBudget, seconds: number): string {
  if (ending === 'budget') return `The agent stopped. ${overBudget}`;
  if (ending !== 'time') return SENTENCES[ending];
  const time = seconds >= 120 ? `${Math.round(seconds / 60)} minutes` : `${seconds} seconds`;
  return `The agent stopped after ${time}. Its runs go on.`;
}

/** What a message has cost so far, and whether it may cost more. */
export class ChatBudget {
  turns = 0;
  inputTokens = 0;
  outputTokens = 0;
  /** Which budget of the workspace is used up, in words, or null. */
  overBudget: string | null = null;
  private calls = 0;
  private runs = 0;
  private runRefused = false;
  private lastReason = '';

  constructor(private readonly time: AbortSignal) {}

  /** @param reason why the model ended its turn, by the names of the AI SDK */
  addTurn(inputTokens: number, outputTokens: number, reason: string): void {
    this.turns += 1;
    this.inputTokens += inputTokens;
    this.outputTokens += outputTokens;
    this.lastReason = reason;
  }

  /** False: no more tools may be called, and the agent will be stopped. */
  takeCall(): boolean {
    this.calls += 1;
    return this.calls <= CHAT_LIMITS.calls;
  }

  /** False: no more runs may be started, and the agent will be stopped. */
  takeRun(): boolean {
    if (this.runs === CHAT_LIMITS.runs) this.runRefused = true;
    else this.runs += 1;
    return !this.runRefused;
  }

  /** The call started no run after all. */
  giveRunBack(): void {
    this.runs -= 1;
  }

  get isSpent(): boolean {
    return (
      this.runRefused || this.calls > CHAT_LIMITS.calls || this.tokensAreSpent || this.overBudget !== null
    );
  }

  get ending(): Ending {
    if (this.time.aborted) return 'time';
    if (this.runRefused) return 'runs';
    if (this.calls > CHAT_LIMITS.calls) return 'calls';
    if (this.lastReason === 'content-filter') return 'refused';
    if (this.wantsMore && this.overBudget !== null) return 'budget';
    if (this.lastReason === 'length' || (this.wantsMore && this.tokensAreSpent)) return 'tokens';
    return this.wantsMore ? 'turns' : 'answered';
  }

  private get wantsMore(): boolean {
    return this.lastReason === 'tool-calls';
  }

  private get tokensAreSpent(): boolean {
    return this.inputTokens + this.outputTokens >= CHAT_LIMITS.tokens;
  }
}
