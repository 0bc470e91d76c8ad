import { Input } from '@mantine/core';

import { CodeEditor } from '../../../kit/code-editor.js';

const NO_WORDS: [] = [];

interface SchemaFieldProps {
  label: string;
  description: string;
  value: string;
  onChange: (value: string) => void;
  problem: string | undefined;
}

/** JSON that is written by hand, with what is wrong with it below. */
export function SchemaField({ label, description, value, onChange, problem }: SchemaFieldProps) {
  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      description={description}
      error={jsonProblem(value) ?? problem}
      inputWrapperOrder={['label', 'description', 'input', 'error']}
    >
      <CodeEditor
        value={value}
        onChange={onChange}
        path={`${label.toLowerCase().replaceAll(' ', '-')}.json`}
        label={label}
        height="14rem"
        words={NO_WORDS}
      />
    </Input.Wrapper>
  );
}

function jsonProblem(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return `This is not JSON yet: ${(error as Error).message}`;
  }
}
