// The one copy that the program itself has: it knows classes by identity.
export * from '@gatehouse/server/extension';
