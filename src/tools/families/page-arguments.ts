/** The arguments of a tool that lists. */
export const PAGE = {
  limit: { type: 'integer', minimum: 1, maximum: 100, default: 25 },
  cursor: { type: 'string', description: 'The `nextCursor` of the previous page.' },
};
