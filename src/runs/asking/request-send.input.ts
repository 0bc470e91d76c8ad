import type { ShownRequest } from './shown-request.js';

export const QUESTION_MINUTES = 15;

/** What is shown of a request that a script wants to send; what nobody may see is masked. */
export interface RequestSendInput extends Record<string, unknown>, ShownRequest {
  script: string;
  version: number;
  environment: string;
  /** Of the run. */
  attempt: number;
  /** When a request of the script to the same place was approved the last time; null: never. */
  lastApprovedAt: string | null;
  /** What is different since then, in lines that begin with + or -. */
  changes: string[];
  /** The run is gone, and what was shown with it: query, headers, body and changes. */
  isForgotten?: true;
}
