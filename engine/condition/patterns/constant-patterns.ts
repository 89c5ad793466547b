import { Fault } from '../language/syntax.ts';
import type { ConditionLimits } from '../limits.ts';
import { compilePattern, type Pattern } from './pattern.ts';

/** Compiles the regular expressions that one condition writes as constants, and bounds them together. */
export class ConstantPatterns {
  readonly #limits: ConditionLimits;
  #size = 0;

  constructor(limits: ConditionLimits) {
    this.#limits = limits;
  }

  /** Instructions of all that have been compiled. */
  get size(): number {
    return this.#size;
  }

  /** `offset` is where in the expression that an error names. */
  compile(source: string, offset: number): Pattern {
    const pattern = this.#compile(source, offset);
    this.#size += pattern.size;
    if (this.#size <= this.#limits.patternSize) return pattern;
    throw new Fault('the regular expressions of the condition are too large', offset);
  }

  requireShort(source: string): void {
    const { patternLength } = this.#limits;
    if (source.length > patternLength)
      throw new Error(`a regular expression is limited to ${patternLength} characters`);
  }

  #compile(source: string, offset: number): Pattern {
    try {
      this.requireShort(source);
      return compilePattern(source);
    } catch (error) {
      throw new Fault(error instanceof Error ? error.message : 'the regular expression is malformed', offset);
    }
  }
}
