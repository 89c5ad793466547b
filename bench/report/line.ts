/** What a line should reach; about its value, or about its ratio to the baseline. */
export interface Target {
  readonly of: 'value' | 'ratio';
  readonly bound: 'at least' | 'at most';
  readonly limit: number;
}

/** One line of the table. */
export interface Line {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** Measured in the same run, in the same unit as the value. */
  readonly baseline?: { readonly name: string; readonly value: number };
  readonly target?: Target;
  /** Why the number says nothing, where it does not. */
  readonly isVoid?: string;
  /** The same question asked of another server, by its name, in the same unit. */
  readonly peers?: Readonly<Record<string, number>>;
  /** What else was measured, for the results file. */
  readonly detail?: Readonly<Record<string, number | string>>;
}

export type Verdict = 'ok' | 'miss' | 'void' | '';

export function atLeast(limit: number, of: Target['of'] = 'value'): Target {
  return { of, bound: 'at least', limit };
}

export function atMost(limit: number, of: Target['of'] = 'value'): Target {
  return { of, bound: 'at most', limit };
}

/** Value by baseline; undefined where the line has none. */
export function ratioOf({ value, baseline }: Line): number | undefined {
  return baseline === undefined ? undefined : value / baseline.value;
}

/** '' where there is no target to meet. */
export function verdictOf(line: Line): Verdict {
  if (line.isVoid !== undefined) return 'void';
  if (line.target === undefined) return '';
  const { of, bound, limit } = line.target;
  const measured = of === 'value' ? line.value : (ratioOf(line) ?? Number.NaN);
  return (bound === 'at least' ? measured >= limit : measured <= limit) ? 'ok' : 'miss';
}
