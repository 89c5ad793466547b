/**
 * Vitest's setup of every test file: a pattern is never equal to a text. Without it `toMatchObject({ message: /x/ })`
 * passes whatever the message is. `expect.stringMatching(/x/)` compares.
 */
import { expect } from 'vitest';

expect.addEqualityTesters([
  (seen, wanted) => (wanted instanceof RegExp && typeof seen === 'string' ? false : undefined),
]);
