export function leftOutOfNpmTest(): string[];
