import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { ScratchEngine } from './scratch-engine.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Memory of the caches that threads share: an open engine has hundreds of megabytes, of which it touches what it uses. */
function cachesBytes(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

it('an engine that is closed gives its caches back', async () => {
  const before = cachesBytes();
  const open = () => ScratchEngine.open({ nameBytes: 200 * 2 ** 20 });
  const scratch = await open();
  const ofOne = cachesBytes() - before;
  await scratch.close();
  for (let count = 0; count < 10; count++) await (await open()).close();
  // the memory of a block goes with the turn after its owner was collected
  cachesBytes();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(ofOne).toBeGreaterThan(100 * 2 ** 20);
  expect(cachesBytes() - before).toBeLessThan(3 * ofOne);
});
