import { Text } from '@mantine/core';

import { type InputFact, valueText } from './changes.js';
import classes from './facts.module.css';

export function InputTable({ facts }: { facts: InputFact[] }) {
  if (facts.length === 0) return 'none';
  return (
    <table className={classes['inputs']}>
      <tbody>
        {facts.map(({ name, value, before }) => (
          <tr key={name}>
            <th scope="row" className="user-text">
              {valueText(name)}
            </th>
            <td className="user-text">
              {valueText(value)}
              {before && (
                <Text span size="xs" c="dimmed" className="user-text">
                  {' '}
                  was {valueText(before.value)}
                </Text>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
