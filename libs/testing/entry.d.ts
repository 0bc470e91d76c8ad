export * from 'gatehouse/testing';
