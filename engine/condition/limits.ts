/** Bounds of one condition. All but `cost` hold when it is compiled, `cost` whenever it is evaluated. */
export interface ConditionLimits {
  /** Characters of CEL source. */
  readonly expressionLength: number;
  /** Nesting of the syntax tree; a chain of binary operators counts one for each operator. */
  readonly depth: number;
  /** Nodes of the syntax tree. */
  readonly nodes: number;
  /** Characters of a regular expression. */
  readonly patternLength: number;
  /** Instructions that the constant regular expressions of one condition compile to, together. */
  readonly patternSize: number;
  /**
   * Work of one evaluation. One unit is about the evaluation of one node of the syntax tree, 20 ns; operations on
   * strings and lists cost units in proportion to their size.
   */
  readonly cost: number;
}

export const CONDITION_LIMITS: ConditionLimits = {
  expressionLength: 16_384,
  depth: 200,
  nodes: 4096,
  patternLength: 512,
  patternSize: 4000,
  cost: 250_000,
};

/** How deep a value of a context may nest, below the parameter that holds it. */
export const VALUE_DEPTH_MAX = 32;
