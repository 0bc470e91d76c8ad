declare module 'pg/lib/utils.js' {
  const utils: {
    /** A parameter as PostgreSQL reads it: its text, bytes, or null. */
    prepareValue(value: unknown): string | Buffer | null;
  };
  export default utils;
}
