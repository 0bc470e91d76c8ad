/** What happened in the workspace, as endpoints get it. Events only ever gain fields. */
export interface WorkspaceEvent<Data = Record<string, unknown>> {
  id: string;
  type: string;
  createdAt: string;
  data: Data;
}

/** Events may have been missed: what is known has to be read again. */
export interface EventsReset {
  type: 'reset';
}
