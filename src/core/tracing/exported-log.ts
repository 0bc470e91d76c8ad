/** Something that happened, as a collector takes it. */
export interface ExportedLog {
  time: Date;
  body: string;
  attributes: Record<string, string | number>;
}

export interface LogExporter {
  /** Resolves once the collector has taken them. */
  export(logs: readonly ExportedLog[]): Promise<void>;
}
