import { useCallback, useEffect, useState } from 'react';

interface Asked<Answer> {
  answer?: Answer;
  error?: unknown;
}

/**
 * What is asked once, when it is first shown: for parts that stand before a sign-in as well, where no cache is.
 *
 * @param known the answer, where it is there already
 */
export function useAsked<Answer>(
  ask: () => Promise<Answer>,
  known?: Answer,
): Asked<Answer> & { again: () => Promise<void> } {
  const [asked, setAsked] = useState<Asked<Answer>>(known === undefined ? {} : { answer: known });
  const again = useCallback(
    () =>
      ask().then(
        (answer) => setAsked({ answer }),
        (error: unknown) => setAsked({ error }),
      ),
    [ask],
  );
  useEffect(() => void again(), [again]);
  return { ...asked, again };
}
