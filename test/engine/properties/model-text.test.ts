import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelFromJson, modelToJson, parseModel } from '../../../engine/model/index.ts';
import { seed } from '../../generated/seed.ts';
import { generateModel, modelGenes } from './generate/generate-model.ts';
import { printModel } from './generate/print-model.ts';

const models = modelGenes().map(generateModel);

describe('a generated model', () => {
  it('is what its text says, which knows any parent alone', () => {
    const roundTrip = fc.property(models, (model) => {
      const text = JSON.stringify(modelToJson(model)).replaceAll(/"(?:all|every_tuple)"/g, '"any"');
      expect(parseModel({ dsl: printModel(model) })).toEqual(modelFromJson(JSON.parse(text)));
    });
    fc.assert(roundTrip, { numRuns: 300, seed });
  });

  it('is what its JSON says', () => {
    const roundTrip = fc.property(models, (model) => {
      expect(modelFromJson(modelToJson(model))).toEqual(model);
    });
    fc.assert(roundTrip, { numRuns: 300, seed });
  });
});
