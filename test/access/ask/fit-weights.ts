import { confidenceOf, type Features, type weights } from '../../../src/access/ask/mapping/confidence.ts';

export interface Sample {
  readonly features: Features;
  readonly isRight: boolean;
}

type Weights = { -readonly [Name in keyof typeof weights]: number };

const ROUNDS = 40_000;
const RATE = 0.5;
/** Keeps the weights small, where a few samples would make them as large as one likes. */
const PENALTY = 0.001;

/** Logistic regression by gradient descent from zero: the same samples give the same weights. */
export function fitWeights(samples: readonly Sample[]): Weights {
  const fitted: Weights = { bias: 0, coverage: 0, noun: 0, margin: 0 };
  const names = Object.keys(fitted) as (keyof Weights)[];
  for (let round = 0; round < ROUNDS; round++) {
    const gradient: Weights = { bias: 0, coverage: 0, noun: 0, margin: 0 };
    for (const { features, isRight } of samples) {
      const error = confidenceOf(features, fitted) - (isRight ? 1 : 0);
      for (const name of names) gradient[name] += error * inputOf(features, name);
    }
    for (const name of names) {
      const pull = name === 'bias' ? 0 : PENALTY * fitted[name];
      fitted[name] -= RATE * (gradient[name] / samples.length + pull);
    }
  }
  return fitted;
}

function inputOf(features: Features, name: keyof Weights): number {
  if (name === 'bias') return 1;
  return name === 'margin' ? Math.min(features.margin, 0.3) : features[name];
}
