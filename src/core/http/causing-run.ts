/** The run whose script sends a request, as the gate has vouched for it. */
export interface CausingRun {
  id: string;
  workspaceId: string;
}
