import buttonTemplates from '@rjsf/mantine/lib/templates/ButtonTemplates/index.js';
import IconPlus from 'icon:plus';
import type { MouseEventHandler } from 'react';
import { Box, Button, Checkbox, Fieldset, Group, Stack, Text, TextInput, Textarea } from '@mantine/core';
import type {
  ArrayFieldTitleProps,
  BaseInputTemplateProps,
  DescriptionFieldProps,
  FieldTemplateProps,
  IconButtonProps,
  ObjectFieldTemplateProps,
  TitleFieldProps,
  WidgetProps,
} from '@rjsf/utils';
import { buttonId, canExpand, getTemplate, getUiOptions } from '@rjsf/utils';

import { errorText } from './field-parts.js';

/** An object's fields below each other; within another object, in a frame with its name. */
export function ObjectFieldTemplate(props: ObjectFieldTemplateProps) {
  const { title, description, properties, fieldPathId, schema, uiSchema, formData, registry } = props;
  const { AddButton } = registry.templates.ButtonTemplates;
  const fields = (
    <Stack gap="md" id={fieldPathId.$id}>
      {description && (
        <Text size="sm" c="dimmed" component="div" className="user-text">
          {description}
        </Text>
      )}
      {props.optionalDataControl}
      {properties
        .filter(({ hidden }) => !hidden)
        .map(({ name, content }) => (
          <Box key={name}>{content}</Box>
        ))}
      {canExpand(schema, uiSchema, formData) && (
        <Group justify="flex-end">
          <AddButton
            id={buttonId(fieldPathId, 'add')}
            disabled={props.disabled || props.readonly}
            onClick={props.onAddProperty}
            uiSchema={uiSchema}
            registry={registry}
          />
        </Group>
      )}
    </Stack>
  );
  // The form's own title is the page's, which says it already.
  if (fieldPathId.path.length === 0) return fields;
  return <Fieldset legend={title || undefined}>{fields}</Fieldset>;
}

export function FieldTemplate(props: FieldTemplateProps) {
  const { hidden, children, help, registry, uiSchema } = props;
  const Wrap = getTemplate<'WrapIfAdditionalTemplate'>(
    'WrapIfAdditionalTemplate',
    registry,
    getUiOptions(uiSchema),
  );
  if (hidden) return <Box display="none">{children}</Box>;
  return (
    <Wrap {...props}>
      {children}
      {help}
    </Wrap>
  );
}

export function DescriptionFieldTemplate({ id, description }: DescriptionFieldProps) {
  if (!description) return null;
  return (
    <Text id={id} size="sm" c="dimmed" component="div" className="user-text">
      {description}
    </Text>
  );
}

/** One line of text, or of what the browser has an input of its own for. */
export function BaseInputTemplate(props: BaseInputTemplateProps) {
  const { id, type, schema, value, label, hideLabel, required, disabled, readonly, options } = props;
  return (
    <TextInput
      id={id}
      type={options.inputType ?? type ?? 'text'}
      step={type === 'datetime-local' ? 1 : undefined}
      maw={type?.startsWith('date') ? { xs: 320 } : undefined}
      label={hideLabel ? undefined : label}
      aria-label={hideLabel ? label : undefined}
      description={schema.description}
      required={required}
      disabled={disabled || readonly}
      autoComplete="off"
      placeholder={props.placeholder || exampleOf(schema.examples)}
      error={errorText(props.rawErrors)}
      value={(value as string | undefined) ?? ''}
      onChange={({ currentTarget }) => {
        const typed = currentTarget.value;
        props.onChange(typed === '' ? options.emptyValue : typed);
      }}
    />
  );
}

export function TextareaWidget({
  id,
  schema,
  value,
  label,
  required,
  disabled,
  readonly,
  options,
  ...props
}: WidgetProps) {
  return (
    <Textarea
      id={id}
      label={label}
      description={schema.description}
      required={required}
      disabled={disabled || readonly}
      error={errorText(props.rawErrors)}
      autosize
      minRows={3}
      maxRows={16}
      value={(value as string | undefined) ?? ''}
      onChange={({ currentTarget }) =>
        props.onChange(currentTarget.value === '' ? options.emptyValue : currentTarget.value)
      }
    />
  );
}

export function CheckboxWidget({ id, schema, value, label, disabled, readonly, ...props }: WidgetProps) {
  return (
    <Checkbox
      id={id}
      label={label}
      description={schema.description}
      disabled={disabled || readonly}
      error={errorText(props.rawErrors)}
      checked={value === true}
      onChange={({ currentTarget }) => props.onChange(currentTarget.checked)}
    />
  );
}

function exampleOf(examples: unknown): string | undefined {
  const [first] = Array.isArray(examples) ? (examples as unknown[]) : [];
  return typeof first === 'string' ? `such as ${first}` : undefined;
}

export function TitleFieldTemplate({ id, title }: TitleFieldProps) {
  return (
    <Text id={id} fw={600} size="sm" className="user-text">
      {title}
    </Text>
  );
}

export function ArrayFieldTitleTemplate({ title }: ArrayFieldTitleProps) {
  return title ? <span className="user-text">{title}</span> : null;
}

export const ButtonTemplates = { ...buttonTemplates(), AddButton };

function AddButton({ id, disabled, onClick }: IconButtonProps) {
  return (
    <Button
      id={id}
      size="compact-sm"
      variant="default"
      disabled={disabled}
      leftSection={<IconPlus size={14} aria-hidden />}
      onClick={onClick as MouseEventHandler}
    >
      Add
    </Button>
  );
}
