/** Nothing further of an operation is done, and this is why. */
export class OperationEnds extends Error {}
