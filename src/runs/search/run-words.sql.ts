/** The runs that these words are in, for a condition that names them in another way as well: `:words`. */
export const RUNS_WITH_WORDS = 'SELECT w.run_id FROM run_words w WHERE w.words @@ :words::tsquery';
