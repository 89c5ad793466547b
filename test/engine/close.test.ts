import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { ScratchEngine } from './scratch-engine.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const NAME_BYTES = 200 * 2 ** 20;

/** Memory of the tables that threads share, most of which is never touched. */
async function tablesBytes(): Promise<number> {
  for (let times = 0; times < 3; times++) {
    collectGarbage();
    // a block is given back some time after its owner was collected
    await sleep(50);
  }
  return process.memoryUsage().arrayBuffers;
}

it('an engine that is closed gives its memory back', async () => {
  const before = await tablesBytes();
  for (let count = 0; count < 10; count++) await (await ScratchEngine.open({ nameBytes: NAME_BYTES })).close();
  await expect.poll(async () => (await tablesBytes()) - before).toBeLessThan(3 * NAME_BYTES);
});
