import { useNavigate, useRouterState, useSearch } from '@tanstack/react-router';

/** The line of the log that the page's address names: `#L120`, or `?line=120`. */
export function useChosenLine(): [number | null, (line: number) => void] {
  const { line } = useSearch({ from: '/w/$workspace/$environment/runs/$runId' });
  const hash = useRouterState({ select: ({ location }) => location.hash });
  const navigate = useNavigate({ from: '/w/$workspace/$environment/runs/$runId' });
  const choose = (next: number): void => {
    void navigate({
      search: {},
      hash: `L${next}`,
      replace: true,
      resetScroll: false,
      hashScrollIntoView: false,
    });
  };
  const named = /^L(\d{1,9})$/.exec(hash)?.[1];
  return [named === undefined ? (line ?? null) : Number(named), choose];
}
