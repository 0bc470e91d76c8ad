export { type Masker, maskerFor } from './masker.js';
export { searchedValues, tooMuch } from './searched-values.js';
export { AWS_TEMPLATE } from './secret-kind.js';
export { SECRET_NAME, secretNameProblem } from './secret-name.js';
export { planSecrets, type SecretPlan, type SignIn } from './secret-plan.js';
export { SecretSamples } from './secret-samples.js';
export { SecretUseRecorder } from './secret-use-recorder.js';
export type { SecretUse } from './secret-use.js';
export { SecretUnreadable, SecretVaultService } from './secret-vault.service.js';
export { SecretsModule } from './secrets.module.js';
export {
  type SecretPlace,
  SecretSource,
  type SecretSourceDescription,
  type SecretSourceProvider,
  type SourcedSecret,
} from './sources/secret-source.js';
export { SourceFailed } from './sources/sourced-values.service.js';
export { VersionSecretsService } from './version-secrets.service.js';
