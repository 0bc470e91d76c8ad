import { useState } from 'react';

/** An act of a form: whether it is in progress, and what went wrong with it the last time. */
export function useAct<Args extends unknown[]>(act: (...args: Args) => Promise<unknown>) {
  const [problem, setProblem] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const run = async (...args: Args): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      await act(...args);
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  };
  return { run, busy, problem };
}
