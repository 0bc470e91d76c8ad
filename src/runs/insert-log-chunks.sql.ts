/**
 * Writes lines of a log within a larger statement.
 *
 * @param run a relation with one row at most and the columns of `runs`
 * @param chunks a parameter: `firstLine` and `lines` of each, as JSON
 */
export const insertChunks = (run: string, chunks: string): string => `
    INSERT INTO run_log_chunks (run_id, first_line, lines)
    SELECT r.id, c."firstLine", c.lines
    FROM ${run} r, json_to_recordset(${chunks}::json) AS c("firstLine" int, lines text[])`;
