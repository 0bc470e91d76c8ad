export { OpenId } from './open-id/open-id.js';
export type { OpenIdClaims } from './open-id/open-id-claims.js';
export { type OpenIdPerson, OpenIdProvider, type OpenIdProviderOptions } from './open-id/open-id-provider.js';
export { SignInModule } from './sign-in.module.js';
export {
  type BegunSignIn,
  type ProvenPerson,
  type ProvidedMembership,
  SignInWay,
  type SignInWayProvider,
} from './sign-in-way.js';
