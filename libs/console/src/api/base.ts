/** The path below which the service is reached, such as `/gatehouse`; empty at the root of its host. */
export const basePath = document.querySelector<HTMLMetaElement>('meta[name="gatehouse-base"]')?.content ?? '';

/** For the styles that the component kit writes into the page: the policy lets only those with it. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
