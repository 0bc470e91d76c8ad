import type { WorkspaceCaller } from '../../core/access/index.js';
import type { AgentBudgetsService } from '../../usage/index.js';
import type { ChatBudget } from './chat-limits.js';

/** Counts what each response of the model has cost, once: before the model is asked again, and at the end. */
export class TokenMeter {
  private next = 0;
  private counting: Promise<void> = Promise.resolve();

  constructor(
    private readonly budgets: AgentBudgetsService,
    private readonly by: WorkspaceCaller,
    private readonly budget: ChatBudget,
  ) {}

  /** @param place of the response in its message, from 0; one that was counted is not counted again */
  add(place: number, input: number, output: number): void {
    if (place < this.next) return;
    this.next = place + 1;
    this.counting = this.counting.then(async () => {
      this.budget.overBudget = await this.budgets.addTokens(this.by, input, output);
    });
    // Whoever waits for it hears of a failure.
    this.counting.catch(() => undefined);
  }

  /** All that was added is counted. */
  counted(): Promise<void> {
    return this.counting;
  }
}
