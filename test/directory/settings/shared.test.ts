import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { initialSettings, putSettings, readSettings } from '../../../src/directory/settings/truth/settings.ts';
import { ScratchEngine } from '../../engine/scratch-engine.ts';

let scratch: ScratchEngine;

beforeEach(async () => {
  scratch = await ScratchEngine.open();
  await scratch.engine.createStore('org:acme');
});
afterEach(() => scratch.close());

const read = () => readSettings(scratch.engine.store('org:acme'));

async function write(accessTtl: number): Promise<void> {
  const { engine } = scratch;
  const settings = { ...initialSettings, oauth: { ...initialSettings.oauth, accessTtl } };
  await engine.submit(engine.command([putSettings(engine.store('org:acme'), settings)]));
}

describe('settings that are completed once for all who read them', () => {
  test('are those of the last write', async () => {
    for (const accessTtl of [700, 800, 700]) {
      await write(accessTtl);
      for (let time = 0; time < 3; time++) expect(read().oauth.accessTtl).toBe(accessTtl);
    }
  });

  test('cannot be changed by one of them, whether the organization has set any or not', async () => {
    const tamper = (settings: object): void => {
      const { oauth } = settings as { oauth: { accessTtl: number } };
      expect(() => {
        oauth.accessTtl = 1;
      }).toThrow(TypeError);
      expect(() => Object.assign(settings, { oauth: { ...oauth, accessTtl: 1 } })).toThrow(TypeError);
    };
    tamper(read());
    expect(read().oauth.accessTtl).toBe(initialSettings.oauth.accessTtl);
    await write(700);
    for (let time = 0; time < 3; time++) {
      tamper(read());
      expect(read().oauth.accessTtl).toBe(700);
    }
  });
});
