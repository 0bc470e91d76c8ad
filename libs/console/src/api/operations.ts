import type * as Queries from '@gatehouse/client/react-query';

type NameIn<Export> = Export extends `${infer Name}InfiniteQueryKey`
  ? Name
  : Export extends `${infer Name}QueryKey`
    ? Name
    : never;
type ListIn<Export> = Export extends `${infer Name}InfiniteQueryKey` ? Name : never;

/** What can be read of the service, by the names that the generated client gives it: `runsList`. */
export type Operation = NameIn<keyof typeof Queries>;

/** What is read page after page. */
export type ListOperation = ListIn<keyof typeof Queries>;

/** Of a list only what is read page after page, and not what is read once, such as the choices of a filter. */
export type PagesOfList = `${ListOperation}, pages`;

/** What the console makes of several of these. */
type OwnQuery = 'secretsUses';

/** What an event or an act makes stale. */
export type Stale = Operation | PagesOfList | OwnQuery;
