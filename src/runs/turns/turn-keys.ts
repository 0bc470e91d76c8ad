/** Keys that are to be looked at, each once. Scripts take turns, whose ids keys begin with. */
export class TurnKeys {
  private readonly byScript = new Map<string, Set<string>>();

  add(key: string): void {
    const script = key.split('/', 1)[0]!;
    const keys = this.byScript.get(script);
    if (keys) keys.add(key);
    else this.byScript.set(script, new Set([key]));
  }

  /** The next one; null: there is none. */
  take(): string | null {
    for (const [script, keys] of this.byScript) {
      const [key] = keys;
      keys.delete(key!);
      this.byScript.delete(script);
      if (keys.size > 0) this.byScript.set(script, keys);
      return key!;
    }
    return null;
  }
}
