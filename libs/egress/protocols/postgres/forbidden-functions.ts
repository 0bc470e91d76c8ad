/** Run SQL that stands in a string, which nobody has judged. */
const RUN_TEXT =
  /^(?:(?:query|cursor)_to_xml(?:schema|_and_xmlschema)?$|ts_stat$|ts_rewrite$|dblink|crosstab|connectby$|xpath_table$|query_export_to_s3$|sql_saga_|exec_sql$|pg_background_)/;

/** Write, send, lock or end something that a read-only transaction does not keep them from, or read the server's files. */
const DO_MORE = [
  /^lo_(?!get$)/,
  /^lowrite$/,
  /^(?:nextval|setval)$/,
  /^pg_notify$/,
  /^pg_(?:try_)?advisory_(?:xact_)?lock(?:_shared)?$/,
  /^pg_(?:terminate|cancel)_backend$/,
  /^pg_(?:reload_conf$|rotate_logfile|promote$|switch_wal$|switch_xlog$|nextoid$|log_|stat_reset)/,
  /^pg_(?:backup_|start_backup$|stop_backup$|create_|copy_|drop_|sync_|wal_replay_|xlog_replay_)/,
  /^pg_(?:replication_|logical_|import_|set_|clear_|restore_|prewarm$|buffercache_evict)/,
  /^pg_(?:read_|ls_|stat_file$|file_|current_logfile$|truncate_visibility_map$|surgery_)/,
  /^pg_stat_(?:statements|monitor|kcache|qualstats)_reset/,
  /^(?:binary_upgrade_|brin_[a-z_]{0,58}summarize|gin_clean_pending_list$|heap_force_)/,
  /^(?:table_import_from_s3$|aws_lambda_|http$|http_|net_http_)/,
];
const ANY_OF_MORE = new RegExp(DO_MORE.map(({ source }) => source).join('|'));

/** @param name in lower case @returns whether it would get around the judge of any session */
export function runsText(name: string): boolean {
  return RUN_TEXT.test(name);
}

/** @param name in lower case @returns whether a session that only reads may not call it */
export function doesMore(name: string): boolean {
  return ANY_OF_MORE.test(name);
}
