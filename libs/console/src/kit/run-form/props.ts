import type { ReactNode } from 'react';

export interface RunFormProps {
  /** The JSON Schema of the inputs; null for a script that takes none. */
  schema: Record<string, unknown> | null;
  inputs: Record<string, unknown>;
  /** Also called once at the beginning, if the schema has defaults that are not in the inputs. */
  onInputs: (inputs: Record<string, unknown>) => void;
  /** Why the service refused the last attempt: shown at the fields that it is about. */
  problem?: unknown;
  busy?: boolean;
  submitLabel: string;
  /** Called when the inputs fit the schema. */
  onSubmit: (inputs: Record<string, unknown>) => void;
  /** Another button, which takes the same inputs. */
  other?: { label: string; onSubmit: (inputs: Record<string, unknown>) => void };
  /** Stands beside the buttons. */
  children?: ReactNode;
}
