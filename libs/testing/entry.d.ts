export * from '@gatehouse/server/testing';
