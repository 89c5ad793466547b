import type { SyntaxNode } from '../language/syntax.ts';
import type { Meter } from '../meter.ts';
import type { ConstantPatterns } from '../patterns/constant-patterns.ts';
import { PatternCache } from '../patterns/pattern.ts';
import { requireText } from './functions.ts';

/** To make an error with its message and stack costs some 20 µs, and quantifiers swallow one for each item. */
export const ERROR_COST = 1000;
const patterns = new PatternCache();

/** `matches` over RE2. A constant pattern is compiled here, any other when it is met, from a cache. */
export function matcher(
  source: SyntaxNode | undefined,
  meter: Meter,
  constants: ConstantPatterns,
): (text: unknown, expression: unknown) => boolean {
  if (source?.op === 'constant') {
    const pattern = constants.compile(String(source.value), source.start);
    return (text) => {
      const subject = requireText('matches', text);
      meter.spend(matchCost(subject.length, pattern.size));
      return pattern.test(subject);
    };
  }
  return (text, expression) => {
    const subject = requireText('matches', text);
    const asked = requireText('matches', expression);
    constants.requireShort(asked);
    const pattern = patterns.get(asked, (size) => meter.spend(ERROR_COST + size * 20));
    meter.spend(matchCost(subject.length, pattern.size));
    return pattern.test(subject);
  };
}

/** Measured at worst: 4 ns for a character and an instruction. */
function matchCost(length: number, size: number): number {
  return 10 + Math.ceil((length * size) / 6);
}
