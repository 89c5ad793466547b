/** Started by the backup's test as a process of its own: commits two tuples at a time into a store until it is killed. */
import { Engine } from '../../engine/index.ts';

const engine = await Engine.open({ path: process.argv[2] ?? '' });
const store = engine.store('s');
for (let i = 0; ; i++) {
  await Promise.all(
    Array.from({ length: 8 }, (_, k) => {
      const subject = `user:${i}-${k}`;
      const writes = ['left', 'right'].map((side) => ({ object: `doc:${side}`, relation: 'viewer', subject }));
      return store.write({ writes });
    }),
  );
  if (i % 10 === 0) process.stdout.write(`${store.revision()}\n`);
}
