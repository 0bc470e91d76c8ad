/** The service's database. */
export interface ServiceDatabase {
  /** @param sql with `$1` and so on for the `values` */
  query<Row extends object = Record<string, unknown>>(
    sql: string,
    values?: unknown[],
  ): Promise<{ rows: Row[]; rowCount: number | null }>;
}
