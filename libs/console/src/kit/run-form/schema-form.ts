// Part by part: the index of either package brings a validator that compiles code, or a calendar that is not used.
import getDefaultRegistry from '@rjsf/core/lib/getDefaultRegistry.js';
import withTheme from '@rjsf/core/lib/withTheme.js';
import ArrayFieldItemTemplate from '@rjsf/mantine/lib/templates/ArrayFieldItemTemplate.js';
import ArrayFieldTemplate from '@rjsf/mantine/lib/templates/ArrayFieldTemplate.js';
import FieldErrorTemplate from '@rjsf/mantine/lib/templates/FieldErrorTemplate.js';
import MultiSchemaFieldTemplate from '@rjsf/mantine/lib/templates/MultiSchemaFieldTemplate.js';
import OptionalDataControlsTemplate from '@rjsf/mantine/lib/templates/OptionalDataControlsTemplate.js';
import WrapIfAdditionalTemplate from '@rjsf/mantine/lib/templates/WrapIfAdditionalTemplate.js';
import CheckboxesWidget from '@rjsf/mantine/lib/widgets/CheckboxesWidget.js';
import RadioWidget from '@rjsf/mantine/lib/widgets/RadioWidget.js';
import SelectWidget from '@rjsf/mantine/lib/widgets/SelectWidget.js';

import { FileField, FileListField } from './file-field.js';
import { JsonField } from './json-field.js';
import { NumberField } from './number-field.js';
import * as own from './templates.js';

const { TextareaWidget, CheckboxWidget, ...templates } = own;

/** The form made from a JSON Schema, in the console's own look. */
export const SchemaForm = withTheme({
  templates: {
    ArrayFieldItemTemplate,
    ArrayFieldTemplate,
    FieldErrorTemplate,
    MultiSchemaFieldTemplate,
    OptionalDataControlsTemplate,
    WrapIfAdditionalTemplate,
    ...templates,
  },
  widgets: { CheckboxesWidget, RadioWidget, SelectWidget, TextareaWidget, CheckboxWidget },
  fields: { ...getDefaultRegistry().fields, NumberField, JsonField, FileField, FileListField },
});
