interface Forgotten {
  /** A relation with the `id` of runs that are being deleted. */
  runs: string;
  action: string;
  /** What is left of the input of `a`, an expression. */
  left: string;
}

/** Takes out of requests what was shown to people, once the run goes that they are about. */
export const forgetInputsOf = ({ runs, action, left }: Forgotten): string => `
  UPDATE approval_requests a SET input = ${left}, compared_by = NULL
  FROM ${runs} AS gone WHERE a.run_id = gone.id AND a.action = '${action}'`;
