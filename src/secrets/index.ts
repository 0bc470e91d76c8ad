export { type Masker, maskerFor } from './masker.js';
export { searchedValues, tooMuch } from './searched-values.js';
export { SECRET_NAME, secretNameProblem } from './secret-name.js';
export { planSecrets, type SecretPlan } from './secret-plan.js';
export { SecretUsage } from './secret-usage.js';
export type { SecretUse } from './secret-use.js';
export { SecretUnreadable, SecretVaultService } from './secret-vault.service.js';
export { SecretsModule } from './secrets.module.js';
export { VersionSecretsService } from './version-secrets.service.js';
