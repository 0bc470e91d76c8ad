import { Alert } from '@mantine/core';
import IconAlertTriangle from 'icon:alert-triangle';

/** Why a provider's word was not enough, by what the service has put into the address. */
const WORDS: Record<string, string> = {
  address_foreign: 'Your address there is of a domain that it does not speak for.',
  address_taken:
    'The account with your address belongs to somebody else there. Ask whoever runs this Gatehouse.',
  address_unverified: 'It has not verified your address. Do that there, then try again.',
  expired: 'It was finished already, begun in another browser, or too long ago. Try again.',
  no_room: 'The workspace may have no more members. Ask one of its owners.',
  not_admitted: 'You were not let in there, or have no role here.',
  not_fresh: 'It did not ask you to sign in anew, or does not say so. Sign out there, then try again.',
  other_account: 'You came back as somebody else than you were signed in as.',
};

const ELSE = 'Something went wrong. Try again; if it stays so, tell whoever runs this Gatehouse.';

interface SignInProblemProps {
  problem: string;
  /** Whether somebody is, who was to confirm it. */
  signedIn?: boolean;
}

export function SignInProblem({ problem, signedIn = false }: SignInProblemProps) {
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />} role="alert">
      {!signedIn && 'You are not signed in. '}
      {Object.hasOwn(WORDS, problem) ? WORDS[problem] : ELSE}
    </Alert>
  );
}
