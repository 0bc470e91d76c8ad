// The first versions of Node 20 lack this, which the library calls at each request.
if (!('parse' in URL)) {
  Object.defineProperty(URL, 'parse', {
    value: (address: string, base?: string) => (URL.canParse(address, base) ? new URL(address, base) : null),
  });
}
