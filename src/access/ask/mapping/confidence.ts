/** What is known of the best reading of a question, each from 0 to 1. */
export interface Features {
  /** How much of what the question says is in the entry. */
  readonly coverage: number;
  /** How well the thing fits. */
  readonly noun: number;
  /** How far the next entry is behind. */
  readonly margin: number;
}

/** Of a logistic regression over the tuning half of the labelled questions; a test fits it anew and compares. */
export const weights: Record<keyof Features | 'bias', number> = {
  bias: -3.813,
  coverage: 4.71,
  noun: 1.454,
  margin: 5.727,
};

/** How probable it is that the best entry is the one that was meant: 0 to 1. */
export function confidenceOf(features: Features, by: Readonly<typeof weights> = weights): number {
  const { coverage, noun, margin } = features;
  const sum = by.bias + by.coverage * coverage + by.noun * noun + by.margin * Math.min(margin, 0.3);
  return 1 / (1 + Math.exp(-sum));
}
