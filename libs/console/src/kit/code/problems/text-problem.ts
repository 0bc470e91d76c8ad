/** Where a text is not what its syntax asks for, and why. */
export interface TextProblem {
  from: number;
  to: number;
  message: string;
}

/** What follows from the first ones mostly is no news. */
export const MOST_PROBLEMS = 20;
