import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AgentConversations1796100000000 implements MigrationInterface {
  name = 'AgentConversations1796100000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE agent_conversations (
        id text COLLATE "C" NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        workspace_id text COLLATE "C" NOT NULL,
        agent_id text COLLATE "C" NOT NULL,
        environment_id text COLLATE "C" NOT NULL,
        user_id text COLLATE "C",
        credential_id text COLLATE "C",
        title text NOT NULL DEFAULT '',
        turn integer NOT NULL DEFAULT 0,
        turn_until timestamptz,
        worker_id text COLLATE "C",
        entries integer NOT NULL DEFAULT 0,
        bytes integer NOT NULL DEFAULT 0,
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT agent_conversations_pkey PRIMARY KEY (id),
        CONSTRAINT agent_conversations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces (id),
        CONSTRAINT agent_conversations_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents (id) ON DELETE CASCADE,
        CONSTRAINT agent_conversations_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id)
      );
      CREATE INDEX agent_conversations_age ON agent_conversations (updated_at);
      CREATE INDEX agent_conversations_list ON agent_conversations (agent_id, id);
      CREATE INDEX agent_conversations_owner ON agent_conversations (workspace_id, user_id);

      CREATE TABLE agent_conversation_entries (
        conversation_id text COLLATE "C" NOT NULL,
        turn integer NOT NULL,
        place integer NOT NULL,
        step integer NOT NULL,
        kind text NOT NULL,
        content text,
        tool text,
        input text,
        script text,
        run_id text COLLATE "C",
        waits boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT agent_conversation_entries_pkey PRIMARY KEY (conversation_id, turn, place),
        CONSTRAINT agent_conversation_entries_conversation_id_fkey FOREIGN KEY (conversation_id)
          REFERENCES agent_conversations (id) ON DELETE CASCADE,
        CONSTRAINT agent_conversation_entries_kind_check CHECK (kind IN ('person', 'agent', 'call'))
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE agent_conversation_entries;
      DROP TABLE agent_conversations`);
  }
}
