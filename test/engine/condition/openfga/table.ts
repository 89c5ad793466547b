import type { Context } from '../../../../engine/condition/index.ts';

/**
 * What OpenFGA makes of an expression: its value, that its evaluation fails, or that its compiler refuses it. Each
 * verdict is that of OpenFGA 1.22.1: `npm run test:long conditions` asks it again.
 */
export type Verdict = boolean | 'fails' | 'refused';

export type Row = readonly [
  expression: string,
  expect: Verdict,
  parameters?: Readonly<Record<string, string>>,
  given?: Context,
];
