/** What is shown of a query: its data, or why there is none. */
export interface Reading<Data = unknown> {
  data?: Data | undefined;
  error: unknown;
  refetch: () => Promise<unknown>;
}
