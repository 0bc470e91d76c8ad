export { CompanyWay } from './company/company-way.js';
export {
  OpenId,
  type OpenIdClaims,
  type OpenIdPerson,
  OpenIdProvider,
  type OpenIdProviderOptions,
} from './open-id/open-id.js';
export { ProvisionedAccountsService } from './scim/provisioned-accounts.service.js';
export { SignInLinkMakingService } from './links/sign-in-link-making.service.js';
export { SignInModule } from './sign-in.module.js';
export {
  type BegunSignIn,
  type ProvenPerson,
  type ProvidedMembership,
  SignInWay,
  type SignInWayProvider,
} from './sign-in-way.js';
