import { type FieldProps, labelValue } from '@rjsf/utils';

/** What the form's context carries to its fields. */
export interface FormContext {
  /** Fields that hold something that cannot be sent, or are still being sent; each with what to say. */
  block: (id: string, reason: string | null) => void;
}

/** What every field tells the kit's inputs, with description and error where assistive technology finds them. */
export function inputParts({
  fieldPathId,
  schema,
  name,
  title,
  required,
  disabled,
  readonly,
  rawErrors,
}: FieldProps) {
  return {
    id: fieldPathId.$id,
    label: labelValue(title ?? schema.title ?? name, false, false) as string,
    description: schema.description,
    required: Boolean(required),
    disabled: Boolean(disabled || readonly),
    error: errorText(rawErrors),
  };
}

export function errorText(rawErrors: string[] | undefined): string | undefined {
  return rawErrors && rawErrors.length > 0 ? [...new Set(rawErrors)].join('\n') : undefined;
}
