/** The tags that a worker must carry for a run: what its environment says, or else its version; null: none. */
export const runsOnOf = (version: string, environment: string): string => `(
  SELECT COALESCE(NULLIF(e.runs_on, '{}'), NULLIF(v.runs_on, '{}')) FROM script_versions v, environments e
  WHERE v.id = ${version} AND e.id = ${environment})`;
