import { Alert } from '@mantine/core';
import IconAlertTriangle from 'icon:alert-triangle';

import { useEntryWords } from '../../kit/entry-words-context.js';

interface SignInProblemProps {
  problem: string;
  /** Whether somebody is, who was to confirm it. */
  isSignedIn?: boolean;
}

/** Why a provider's word was not enough. */
export function SignInProblem({ problem, isSignedIn = false }: SignInProblemProps) {
  const { providerProblems, otherProviderProblem, notSignedIn } = useEntryWords();
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />} role="alert">
      {!isSignedIn && `${notSignedIn} `}
      {wordsOf(providerProblems, problem) ?? otherProviderProblem}
    </Alert>
  );
}

function wordsOf(problems: Record<string, string>, problem: string): string | undefined {
  return Object.hasOwn(problems, problem) ? problems[problem] : undefined;
}
