import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keys have scopes and an end, both credentials the address of their last use, and whoever made one is told before it ends. */
export class KeyLimits1796918400000 implements MigrationInterface {
  name = 'KeyLimits1796918400000';
  /** Indexes that are made while others write cannot be made within one. Each statement may be carried out again. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE api_keys
        ADD COLUMN IF NOT EXISTS scopes text[],
        ADD COLUMN IF NOT EXISTS expires_at timestamptz,
        ADD COLUMN IF NOT EXISTS expiry_told_at timestamptz,
        ADD COLUMN IF NOT EXISTS last_used_address text`);
    await runner.query(`
      ALTER TABLE personal_tokens
        ADD COLUMN IF NOT EXISTS expiry_told_at timestamptz,
        ADD COLUMN IF NOT EXISTS last_used_address text`);
    for (const table of ['api_keys', 'personal_tokens']) {
      // One that was broken off is of no use, and would count as there.
      await runner.query(`DROP INDEX IF EXISTS ${table}_ending`);
      await runner.query(`
        CREATE INDEX CONCURRENTLY ${table}_ending ON ${table} (expires_at)
        WHERE revoked_at IS NULL AND expiry_told_at IS NULL AND expires_at IS NOT NULL`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX personal_tokens_ending, api_keys_ending;
      ALTER TABLE personal_tokens DROP COLUMN last_used_address, DROP COLUMN expiry_told_at;
      ALTER TABLE api_keys DROP COLUMN last_used_address, DROP COLUMN expiry_told_at, DROP COLUMN expires_at,
        DROP COLUMN scopes`);
  }
}
