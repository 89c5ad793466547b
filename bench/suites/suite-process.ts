import type { Line } from '../report/line.ts';
import type { Bench } from './suite.ts';
import { suites } from './suites.ts';

/** What the process of a suite sends to the one that started it. */
export type SuiteMessage =
  | { readonly kind: 'line'; readonly line: Line }
  | { readonly kind: 'note'; readonly text: string };

const [, , name, mode] = process.argv;
const suite = suites.find((each) => each.name === name);
const send = (message: SuiteMessage): void => {
  process.send?.(message);
};
const bench: Bench = {
  isSmoke: mode === 'smoke',
  line: (line) => send({ kind: 'line', line }),
  note: (text) => send({ kind: 'note', text }),
};

if (suite !== undefined) {
  await suite.run(bench);
  process.disconnect?.();
}
