/** A run whose requests people are asked about. */
export interface QuestionedRun {
  id: string;
  workspaceId: string;
  environmentId: string;
  environmentName: string;
  scriptId: string;
  scriptSlug: string;
  version: number;
  /** Counted from 1. */
  attempt: number;
}
