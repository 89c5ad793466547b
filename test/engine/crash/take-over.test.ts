import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Engine } from '../../../engine/engine.ts';
import { namespaces, titleOf } from '../store/lock/namespaces.ts';
import { bundledScript } from './bundled-script.ts';
import { inspectRecovery } from './recovery.ts';
import { WritingChild } from './start-child.ts';

const TAKE_OVER = fileURLToPath(new URL('./take-over.ts', import.meta.url));

let path: string;
let child: WritingChild | undefined;

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'relata-take-over-'));
});
afterEach(async () => {
  await child?.kill();
  rmSync(path, { recursive: true, force: true });
});

const places = [{ name: 'beside it', prefix: [], missing: undefined }, ...namespaces];

describe('a process that writes while another comes in without a lock', () => {
  for (const place of places) {
    it.skipIf(place.missing !== undefined)(
      `ends at once, and has answered nothing after it: ${titleOf(place)}`,
      { timeout: 300_000 },
      async () => {
        const script = await bundledScript(TAKE_OVER);
        child = await WritingChild.start({ path, round: 0, isDoomed: true });
        await child.acknowledges(200);
        const [command = '', ...parameters] = [...place.prefix, process.execPath, script, path];
        const other = spawnSync(command, parameters, { encoding: 'utf8' });
        expect(other.stderr).toBe('');
        const revisions = other.stdout.trim().split('\n').map(Number);
        const progress = await child.ended();
        child = undefined;
        // one after the other, because the first wrote nothing in between
        expect(revisions).toEqual(Array.from({ length: 10 }, (_, n) => (revisions[0] as number) + n));
        expect(await inspectRecovery(path, progress)).toMatchObject({ lost: [], problems: [] });
        const engine = await Engine.open({ path });
        expect(engine.revision()).toBe(revisions.at(-1));
        await engine.close();
      },
    );
  }
});
