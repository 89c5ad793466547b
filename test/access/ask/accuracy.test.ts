import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { weights } from '../../../src/access/ask/mapping/confidence.ts';
import { mapQuestion, mapWithFeatures } from '../../../src/access/ask/mapping/map-question.ts';
import type { Vocabulary } from '../../../src/access/ask/vocabulary/vocabulary.ts';
import { fitWeights, type Sample } from './fit-weights.ts';
import {
  expectedLabel,
  type Half,
  injectedQuestions,
  labelOf,
  organizationNames,
  questionsOf,
  resourceOf,
  vocabularyOf,
} from './labelled.ts';

const vocabularies = new Map<string, Vocabulary>();

beforeAll(async () => {
  for (const name of organizationNames) vocabularies.set(name, await vocabularyOf(name));
});

function vocabulary(name: string): Vocabulary {
  const found = vocabularies.get(name);
  if (found === undefined) throw new Error(`no organization ${name}`);
  return found;
}

interface Result {
  readonly question: string;
  readonly expected: string;
  readonly found: string;
  readonly confidence: number;
}

function resultsOf(half: Half): Result[] {
  return organizationNames.flatMap((name) =>
    questionsOf(half, name).map((labelled) => {
      const { question } = labelled;
      const asked = { question, resource: resourceOf(labelled), isAboutSubject: false };
      const mapping = mapQuestion(vocabulary(name), asked);
      return { question, expected: expectedLabel(labelled), found: labelOf(mapping), confidence: mapping.confidence };
    }),
  );
}

interface Bin {
  readonly from: number;
  count: number;
  confidence: number;
  right: number;
}

/** By tenths of the confidence: what was said, and how often it was right. */
function binsOf(results: readonly Result[]): Bin[] {
  const bins: Bin[] = Array.from({ length: 10 }, (_, tenth) => ({
    from: tenth / 10,
    count: 0,
    confidence: 0,
    right: 0,
  }));
  for (const result of results) {
    const bin = bins[Math.min(9, Math.floor(result.confidence * 10))];
    if (bin === undefined) continue;
    bin.count++;
    bin.confidence += result.confidence;
    bin.right += rightness(result);
  }
  return bins
    .filter(({ count }) => count > 0)
    .map(({ count, confidence, right, ...bin }) => ({
      ...bin,
      count,
      confidence: confidence / count,
      right: right / count,
    }));
}

/** What the confidence is the probability of: that the reading on which a decision was made is the one that was meant. */
function rightness({ found, expected }: Result): number {
  return found !== 'unmappable' && found === expected ? 1 : 0;
}

function brierOf(results: readonly Result[]): number {
  const errors = results.map((result) => (result.confidence - rightness(result)) ** 2);
  return errors.reduce((sum, error) => sum + error, 0) / results.length;
}

describe.each(['tuning', 'held-out'] as const)('the %s half', (half) => {
  const report = () => {
    const results = resultsOf(half);
    const mappable = results.filter(({ expected }) => expected !== 'unmappable');
    const right = mappable.filter(({ expected, found }) => expected === found).length;
    return { results, mappable, right };
  };

  test('nine of ten mappable questions are mapped right, and what is mapped wrong is told', () => {
    const { results, mappable, right } = report();
    const wrong = results.filter(({ expected, found }) => found !== 'unmappable' && found !== expected);
    console.info(
      `ask, ${half}: ${right} of ${mappable.length} mapped right (${((100 * right) / mappable.length).toFixed(1)} %), ` +
        `${wrong.length} of ${results.length} mapped wrong`,
    );
    expect(results).toHaveLength(150);
    expect(right / mappable.length).toBeGreaterThanOrEqual(0.9);
    expect(wrong.length).toBeLessThanOrEqual(3);
  });

  test('no unmappable question has a reading that is decided', () => {
    const { results } = report();
    const unmappable = results.filter(({ expected }) => expected === 'unmappable');
    expect(unmappable.length).toBeGreaterThanOrEqual(25);
    for (const { question, found, confidence } of unmappable) {
      expect({ question, found }).toEqual({ question, found: 'unmappable' });
      expect(confidence).toBeLessThan(0.3);
    }
  });

  test('the confidence is what it says', () => {
    const { results } = report();
    const brier = brierOf(results);
    const bins = binsOf(results);
    console.info(`ask, ${half}: Brier score ${brier.toFixed(4)}`);
    for (const { from, count, confidence, right } of bins) {
      console.info(`  from ${from}: ${count} questions, said ${confidence.toFixed(2)}, right ${right.toFixed(2)}`);
    }
    expect(brier).toBeLessThan(0.05);
    for (const { count, confidence, right } of bins) {
      if (count >= 10) expect(Math.abs(confidence - right)).toBeLessThan(0.3);
    }
  });
});

test('the document tells these figures', () => {
  const document = readFileSync('src/docs/ask.md', 'utf8');
  const cellsOf = (row: string) =>
    document
      .split('\n')
      .find((line) => line.startsWith(`| ${row} `))
      ?.split('|') ?? [];
  for (const [place, half] of (['tuning', 'held-out'] as const).entries()) {
    const results = resultsOf(half);
    const isMappable = ({ expected }: Result): boolean => expected !== 'unmappable';
    const ofAll = (those: readonly Result[], all: readonly Result[]) => `${those.length} of ${all.length}`;
    const mappable = results.filter(isMappable);
    const right = mappable.filter(({ expected, found }) => expected === found);
    const wrong = results.filter(({ expected, found }) => found !== 'unmappable' && found !== expected);
    const unmappable = results.filter((result) => !isMappable(result));
    const decided = unmappable.filter(({ found }) => found !== 'unmappable');
    const share = ((100 * right.length) / mappable.length).toFixed(1);
    const figures = {
      'mappable questions mapped right': `${ofAll(right, mappable)} (${share} %)`,
      'questions mapped to something wrong': ofAll(wrong, results),
      'unmappable questions that are decided': ofAll(decided, unmappable),
      'Brier score of the confidence': brierOf(results).toFixed(4),
    };
    const told = Object.keys(figures).map((row) => [row, cellsOf(row)[place + 2]?.trim()]);
    expect(Object.fromEntries(told), half).toEqual(figures);
  }
  for (const { from, count, confidence, right } of binsOf(resultsOf('held-out'))) {
    const row = cellsOf(`${from.toFixed(1)} to ${(from + 0.1).toFixed(1)}`).map((cell) => cell.trim());
    expect(row.slice(2, 5)).toEqual([String(count), confidence.toFixed(2), right.toFixed(2)]);
  }
});

test('the weights of the confidence are those that the tuning half gives', () => {
  const samples: Sample[] = organizationNames.flatMap((name) =>
    questionsOf('tuning', name).flatMap((labelled) => {
      const asked = { question: labelled.question, resource: resourceOf(labelled), isAboutSubject: false };
      const { mapping, features } = mapWithFeatures(vocabulary(name), asked);
      if (features === undefined) return [];
      const [first] = mapping.readings;
      const best = first === undefined ? 'unmappable' : labelOf({ ...mapping, isMapped: true });
      return [{ features, isRight: first !== undefined && best === expectedLabel(labelled) }];
    }),
  );
  const fitted = fitWeights(samples);
  for (const [name, weight] of Object.entries(weights)) {
    expect(fitted[name as keyof typeof weights], name).toBeCloseTo(weight, 1);
  }
});

test('the halves have no question in common', () => {
  const texts = (half: Half) =>
    organizationNames.flatMap((name) => questionsOf(half, name)).map(({ question }) => question);
  const tuning = new Set(texts('tuning'));
  expect(texts('held-out').filter((question) => tuning.has(question))).toEqual([]);
});

describe('injected questions', () => {
  const cases = injectedQuestions('discharge patients').map((question) => ({ question }));

  test('there are fifty', () => expect(cases).toHaveLength(50));

  test.each(cases)('$question', ({ question }) => {
    const found = labelOf(mapQuestion(vocabulary('hospital'), { question, isAboutSubject: false }));
    expect(['unmappable', 'patient:discharge', 'settings.manage']).toContain(found);
  });
});
