/**
 * Writes events within a larger statement; `Outbox.wake` has them dispatched.
 *
 * @param rows a query for id, workspace, environment, type, data and the run that caused the event
 */
export const insertEvents = (rows: string): string => `
  INSERT INTO events (id, workspace_id, environment_id, type, data, caused_by_run_id) ${rows}`;
