// The package's own types know only its main file, which warns about the version of Node.

declare module 'oidc-provider/lib/provider.js' {
  export { default as Provider } from 'oidc-provider';
}

declare module 'oidc-provider/lib/helpers/errors.js' {
  import { errors } from 'oidc-provider';

  export import AccessDenied = errors.AccessDenied;
  export import InvalidClientAuth = errors.InvalidClientAuth;
  export import InvalidGrant = errors.InvalidGrant;
  export import InvalidTarget = errors.InvalidTarget;
}

declare module 'oidc-provider/lib/helpers/interaction_policy/index.js' {
  import { interactionPolicy } from 'oidc-provider';

  export import Check = interactionPolicy.Check;
  export import Prompt = interactionPolicy.Prompt;
}
