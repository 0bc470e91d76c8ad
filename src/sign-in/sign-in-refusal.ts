import { Forbidden } from '../core/errors/index.js';

/** Why somebody was not signed in, as the page for signing in is told. Each has its words there. */
type SignInRefusal =
  | 'address_foreign'
  | 'address_taken'
  | 'address_unverified'
  | 'expired'
  | 'failed'
  | 'no_room'
  | 'not_admitted'
  | 'not_fresh'
  | 'other_account';

/** The provider has not asked the person anew, or does not say so. */
export class NotFresh extends Forbidden {}

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
