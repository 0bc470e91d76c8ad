/** What the sign-in page says, in English. Another language is a file beside this one, named by it: `entry-words.de.ts`. */
export const ENGLISH = {
  /** As HTML's `lang` has it. */
  language: 'en',

  signIn: 'Sign in',
  email: 'E-mail',
  password: 'Password',
  showPassword: 'Show the password',
  usePasskey: 'Use a passkey',
  forgot: 'Forgot your password?',
  or: 'or',
  signInWith: (title: string) => `Sign in with ${title}`,

  secondFactor: 'The password is right. Your account has a second factor, so show that one, too.',
  beginAnew: 'Begin anew',
  code: 'Code',
  codeOfApp: 'Six digits that the app shows.',
  codeOrRecovery: 'Six digits of your app for codes, or a recovery code.',

  notConfirmed: 'This was not confirmed',
  backToWhereYouWere: 'Back to where you were',
  notSignedIn: 'You are not signed in.',
  /** Why a provider's word was not enough, by what the service has put into the address. */
  providerProblems: {
    address_foreign: 'Your address there is of a domain that it does not speak for.',
    address_taken:
      'The account with your address belongs to somebody else there. Ask whoever runs this Gatehouse.',
    address_unverified: 'It has not verified your address. Do that there, then try again.',
    expired: 'It was finished already, begun in another browser, or too long ago. Try again.',
    no_room: 'The workspace may have no more members. Ask one of its owners.',
    not_admitted: 'You were not let in there, or have no role here.',
    not_fresh: 'It did not ask you to sign in anew, or does not say so. Sign out there, then try again.',
    other_account: 'You came back as somebody else than you were signed in as.',
  },
  otherProviderProblem: 'Something went wrong. Try again; if it stays so, tell whoever runs this Gatehouse.',

  /** By the words of the service, which speaks English: those that signing in can meet. */
  messages: {} as Record<string, string>,
  somethingWrong: 'Something went wrong.',
  again: (ms: number | null) => `Try again ${soon(ms)}.`,
  nothingLost: 'Nothing that you typed is lost.',
  tellWhoRunsIt: 'Try again. If it stays so, tell whoever runs this Gatehouse the number below.',
  request: 'Request',
  meaningOf: (code: string) => `what ${code} means`,
};

export type EntryWords = typeof ENGLISH;

function soon(ms: number | null): string {
  if (ms === null) return 'in a moment';
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  if (seconds > 90) return `in ${Math.ceil(seconds / 60)} minutes`;
  return seconds === 1 ? 'in a second' : `in ${seconds} seconds`;
}
