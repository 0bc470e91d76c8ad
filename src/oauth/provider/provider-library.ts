import './url-parse.js';

// By its inner files: the main one warns of every Node that is not the newest, though all that it uses is in ours.
export {
  AccessDenied,
  InvalidClientAuth,
  InvalidGrant,
  InvalidTarget,
} from 'oidc-provider/lib/helpers/errors.js';
export { Check, Prompt } from 'oidc-provider/lib/helpers/interaction_policy/index.js';
export { Provider } from 'oidc-provider/lib/provider.js';
