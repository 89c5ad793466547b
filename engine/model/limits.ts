/**
 * Bounds of a model. They hold before anything walks the model, so that the cost of a hostile one is known: about a
 * second for the worst that they let through.
 */
export const MODEL_LIMITS = {
  /** Characters of all modules together. */
  textLength: 262_144,
  modules: 256,
  /** Words and marks of one text, outside of conditions. */
  tokens: 65_536,
  /** Parentheses around one another. */
  nesting: 32,
  /**
   * The sum, over all tokens of one text, of the parentheses around each. The parser looks ahead to the closing one at
   * every level, up to 10 µs for each token and level where both operands are nested.
   */
  nestingWork: 100_000,
  /** Characters of one word. */
  wordLength: 254,
  /** Characters of the expression of one condition. */
  expressionLength: 16_384,
  types: 1000,
  relationsPerType: 500,
  /** Relations of all types together. */
  relations: 10_000,
  /** Direct subjects and operands of all relations, where `x from parent` counts once for each type of parent. */
  links: 200_000,
  /** Entries of one `[…]`. */
  subjectsPerRelation: 2000,
  /** Operands of one relation, at all levels together. */
  operandsPerRelation: 500,
  conditions: 1000,
  /** Instructions of all regular expressions that conditions write as constants: a quarter of a second of compiling. */
  patternSize: 100_000,
  parametersPerCondition: 64,
  /** Nesting of `list` and `map` in the type of a parameter. */
  parameterNesting: 8,
  typeNameLength: 254,
  relationNameLength: 50,
  conditionNameLength: 254,
  /** Issues that one answer names. */
  issues: 100,
} as const;
