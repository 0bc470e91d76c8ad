/** Why somebody was not signed in, as the page for signing in is told. Each has its words there. */
type SignInRefusal =
  | 'address_foreign'
  | 'address_taken'
  | 'address_unverified'
  | 'expired'
  | 'failed'
  | 'no_room'
  | 'not_admitted';

/** A sign-in that ends without a session. The message is for the log: never a secret. */
export class SignInRefused extends Error {
  constructor(
    readonly refusal: SignInRefusal,
    message: string,
    /** Whose account it was about, where that is known. */
    readonly userId: string | null = null,
  ) {
    super(message);
    this.name = 'SignInRefused';
  }
}
