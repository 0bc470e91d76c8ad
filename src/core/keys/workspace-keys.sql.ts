/** SQL, since it depends on other rows: nothing is added where another master key is in use, or where there is one. */
export const ADD = `
  INSERT INTO workspace_keys (workspace_id, master_key_id, sealed_key) SELECT $1, $2, $3
  WHERE NOT EXISTS (SELECT FROM workspace_keys WHERE master_key_id <> $2)
  ON CONFLICT (workspace_id) DO NOTHING`;

/** SQL, since it locks the table: nobody reads or adds a key until the transaction ends. */
export const LOCK = 'LOCK TABLE workspace_keys IN ACCESS EXCLUSIVE MODE';

/** SQL, since each row gets values of its own. */
export const REPLACE = `
  UPDATE workspace_keys k SET master_key_id = n.master_key_id, sealed_key = n.sealed_key
  FROM unnest($1::text[], $2::text[], $3::bytea[]) AS n(workspace_id, master_key_id, sealed_key)
  WHERE k.workspace_id = n.workspace_id`;
