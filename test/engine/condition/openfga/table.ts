import type { Context } from '../../../../engine/condition/index.ts';

/**
 * What cel-go, with the types and functions that OpenFGA gives it, makes of an expression: its value, that its
 * evaluation fails, or that its compiler refuses it.
 */
export type Verdict = boolean | 'fails' | 'refused';

export type Row = readonly [
  expression: string,
  expect: Verdict,
  parameters?: Readonly<Record<string, string>>,
  given?: Context,
];
