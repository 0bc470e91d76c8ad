import classes from './header-list.module.css';

interface HeaderListProps {
  label: string;
  headers: readonly { name: string; value: string }[];
}

/** Names and values of a request: its headers, or its query. */
export function HeaderList({ label, headers }: HeaderListProps) {
  return (
    <dl className={classes['headers']} aria-label={label}>
      {headers.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="user-text">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
