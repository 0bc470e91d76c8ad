import { TextInput, type TextInputProps, UnstyledButton } from '@mantine/core';
import IconEyeOff from 'icon:eye-off';
import IconEye from 'icon:eye';
import { useState } from 'react';

import { useEntryWords } from './entry-words-context.js';
import classes from './password-input.module.css';

/** A secret that can be looked at. Mantine's weighs as much as a third of its inputs, and speaks English alone. */
export function PasswordInput(props: TextInputProps) {
  const words = useEntryWords();
  const [isShown, setShown] = useState(false);
  const Icon = isShown ? IconEyeOff : IconEye;
  return (
    <TextInput
      {...props}
      type={isShown ? 'text' : 'password'}
      rightSection={
        <UnstyledButton
          className={classes['toggle'] ?? ''}
          tabIndex={-1}
          aria-label={words.showPassword}
          aria-pressed={isShown}
          // The focus stays where one types.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => setShown(!isShown)}
        >
          <Icon size={18} stroke={1.5} aria-hidden />
        </UnstyledButton>
      }
    />
  );
}
