/** Vitest's setup of every test file: fast-check takes the seed of the run where a test names none. */
import fc from 'fast-check';
import { seed } from './seed.ts';

fc.configureGlobal({ seed });
