import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  builtModelFile,
  builtModelOf,
  loadSystemModel,
  parseText,
  systemModelText,
} from '../../../src/kernel/rights/index.ts';
import { demoModelText } from '../../../src/server/demo/index.ts';
import { modules, typesOf } from '../../../src/server/modules.ts';

const folder = mkdtempSync(join(tmpdir(), 'relata-model-'));
const file = join(folder, 'system-model.json');
afterAll(() => rmSync(folder, { recursive: true }));

describe('a model that a build has parsed', () => {
  const dsl = systemModelText(typesOf(modules));
  const system = builtModelFile('system-model');

  it('is that of the service as it stands, and the same as its text', () => {
    expect(builtModelOf({ dsl }, system)).toBeDefined();
    expect(loadSystemModel(typesOf(modules))).toEqual(parseText({ dsl }));
  });

  it('of the demonstration is merged with that of the service', () => {
    const text = demoModelText(parseText({ dsl }));
    const demo = builtModelFile('demo-model');
    const { source, prepared } = parseText(text);
    expect(builtModelOf(text, demo)).toEqual({ source, prepared });
    const other = parseText({ dsl: systemModelText(['type lamp']) });
    expect(builtModelOf(demoModelText(other), demo)).toBeUndefined();
  });

  it('is not taken for another text', () => {
    const types = ['type lamp'];
    expect(builtModelOf({ dsl: systemModelText(types) }, system)).toBeUndefined();
    expect(loadSystemModel(types).model.types.has('lamp')).toBe(true);
  });

  it.each(['', '{"dsl":', '{}', '{"dsl":"model","kinds":[1]}'])('is not taken from a file of %j', (text) => {
    writeFileSync(file, text);
    expect(builtModelOf({ dsl }, file)).toBeUndefined();
  });

  it('is not missed', () => {
    expect(builtModelOf({ dsl }, join(folder, 'none.json'))).toBeUndefined();
  });
});
