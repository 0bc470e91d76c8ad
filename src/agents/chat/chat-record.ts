import type { HeldRunDto } from '../../runs/index.js';

/** A call of a tool, as the model made it. */
export interface RecordedCall {
  tool: string;
  /** The slug, where it is a script's tool. */
  script: string | null;
  input: unknown;
}

/** Where what happens in an answer is written down, in its order. */
export interface ChatRecord {
  /** False: it is kept nowhere. */
  readonly isKept: boolean;
  /** No more can be written, so that the agent is to stop. */
  readonly isFull: boolean;
  say(delta: string): void;
  /** The model's response is complete. */
  endStep(): void;
  call(id: string, call: RecordedCall): void;
  /** A call has started a run, or is about one. */
  run(id: string, run: HeldRunDto): void;
  result(id: string, text: string): void;
}

/** Of a conversation that its client keeps. */
export const NO_RECORD: ChatRecord = {
  isKept: false,
  isFull: false,
  say: () => undefined,
  endStep: () => undefined,
  call: () => undefined,
  run: () => undefined,
  result: () => undefined,
};
