import { describe, expect, it } from 'vitest';
import { modelFromJson, modelToJson, parseModel, validateModel } from '../../../engine/model/index.ts';
import { conformanceModels, hasConformanceData } from './models.ts';

describe.skipIf(!hasConformanceData)('every model of the OpenFGA conformance data (skipped where it is absent)', () => {
  it('is there', () => {
    expect(conformanceModels().length).toBeGreaterThan(160);
  });

  it.each(conformanceModels())('is accepted and survives its JSON form: $name', ({ dsl }) => {
    const model = parseModel({ dsl });
    validateModel(model);
    expect(modelFromJson(JSON.parse(JSON.stringify(modelToJson(model))))).toEqual(model);
  });
});
