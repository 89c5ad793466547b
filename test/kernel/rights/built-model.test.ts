import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { builtModelOf, loadSystemModel, parseSystemModel, systemModelText } from '../../../src/kernel/rights/index.ts';
import { modules, typesOf } from '../../../src/server/modules.ts';

const folder = mkdtempSync(join(tmpdir(), 'relata-model-'));
const file = join(folder, 'system-model.json');
afterAll(() => rmSync(folder, { recursive: true }));

describe('the system model that a build has parsed', () => {
  const dsl = systemModelText(typesOf(modules));

  it('is that of the service as it stands, and the same as its text', () => {
    expect(builtModelOf(dsl)).toBeDefined();
    expect(loadSystemModel(typesOf(modules))).toEqual(parseSystemModel(dsl));
  });

  it('is not taken for another text', () => {
    const types = ['type lamp'];
    expect(builtModelOf(systemModelText(types))).toBeUndefined();
    expect(loadSystemModel(types).model.types.has('lamp')).toBe(true);
  });

  it.each(['', '{"dsl":', '{}', '{"dsl":"model","kinds":[1]}'])('is not taken from a file of %j', (text) => {
    writeFileSync(file, text);
    expect(builtModelOf(dsl, file)).toBeUndefined();
  });

  it('is not missed', () => {
    expect(builtModelOf(dsl, join(folder, 'none.json'))).toBeUndefined();
  });
});
