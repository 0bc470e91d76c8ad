/** What is told of something that happened. */
export interface NewEvent {
  workspaceId: string;
  /** null: an event of the whole workspace. */
  environmentId: string | null;
  /** Dotted, as in the catalogue of event types. */
  type: string;
  data: Record<string, unknown>;
  /** The run that caused the event: chains of triggers are followed by it. */
  causedByRunId?: string;
}
