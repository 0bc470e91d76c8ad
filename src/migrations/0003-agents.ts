import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Agents1795337501861 implements MigrationInterface {
  name = 'Agents1795337501861';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE "agents" ("id" text COLLATE "C" NOT NULL, "workspace_id" text COLLATE "C" NOT NULL, "slug" text NOT NULL, "name" text NOT NULL, "instructions" text NOT NULL DEFAULT '', "model" text, "scripts" text array NOT NULL DEFAULT '{}', "enabled" boolean NOT NULL DEFAULT true, "created_by_user_id" text COLLATE "C", "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(), "updated_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(), CONSTRAINT "agents_slug_key" UNIQUE ("workspace_id", "slug"), CONSTRAINT "agents_pkey" PRIMARY KEY ("id"))`,
    );
    await runner.query(`CREATE INDEX "agents_list" ON "agents"  ("workspace_id", "id") `);
    await runner.query(
      `ALTER TABLE "agents" ADD CONSTRAINT "agents_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "agents" ADD CONSTRAINT "agents_created_by_user_id_fkey" FOREIGN KEY ("created_by_user_id") REFERENCES "users"("id") ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "agents" DROP CONSTRAINT "agents_created_by_user_id_fkey"`);
    await runner.query(`ALTER TABLE "agents" DROP CONSTRAINT "agents_workspace_id_fkey"`);
    await runner.query(`DROP INDEX "public"."agents_list"`);
    await runner.query(`DROP TABLE "agents"`);
  }
}
