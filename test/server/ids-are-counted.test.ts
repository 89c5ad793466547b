import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Engine } from '../../engine/engine.ts';
import { verifyStore } from '../../engine/store/verify/verify.ts';
import { entryRecords } from '../../src/kernel/audit/index.ts';
import { Background, createLog, type LogFields, silentLog } from '../../src/platform/index.ts';
import { countingsOf, defineListings, listingsJob, listsCheck } from '../../src/server/listings.ts';
import { modules, recordsOf } from '../../src/server/modules.ts';

const COUNT = 12_000;
const BATCH = 1_000;

const idOf = (number: number) => `0198${String(number).padStart(8, '0')}`;

async function putEntries(engine: Engine): Promise<void> {
  await engine.createStore('s');
  for (let from = 0; from < COUNT; from += BATCH) {
    const changes = Array.from({ length: BATCH }, (_, at) => {
      const id = idOf(from + at);
      const record = { collection: entryRecords.collection, id, document: {}, indexes: { actorId: `a${at % 2}` } };
      return { op: 'put_record', store: 's', record } as const;
    });
    await engine.submit(engine.command(changes));
  }
}

test('entries of an earlier release are counted in steps, and pages are the same meanwhile and after', async () => {
  const path = mkdtempSync(join(tmpdir(), 'relata-counted-'));
  let engine = await Engine.open({ path });
  try {
    await putEntries(engine);
    await engine.close();
    const countings = countingsOf(recordsOf(modules));
    expect(countings.map(({ collection }) => collection).sort()).toEqual(['audit_entries', 'sessions', 'tokens']);
    engine = await Engine.open({ path, countings });
    const lines: LogFields[] = [];
    const log = createLog({ level: 'info', write: (line) => lines.push(JSON.parse(line) as LogFields) });
    await defineListings(engine, [], log);
    const progress = { collection: entryRecords.collection, listed: 0, records: COUNT * 2 };
    expect(lines).toMatchObject([{ ...progress, msg: expect.stringMatching(/is being counted: until then/) }]);
    const step = listingsJob.stepOf({
      engine,
      log,
      background: new Background({ log: silentLog }),
      isClockTrusted: () => true,
    });
    const index = entryRecords.index(engine.store('s'));
    const page = { skip: COUNT / 4, limit: 1 };
    const said: string[] = [];
    do {
      said.push(listsCheck(engine.listingProgress()));
      expect(index.count('actorId', 'a1')).toBe(COUNT / 2);
      expect(index.ids('actorId', 'a1', page)).toEqual([idOf(COUNT / 2 + 1)]);
      expect((await verifyStore(path)).problems.filter((problem) => problem.includes('counts of'))).toEqual([]);
    } while (await step(2_000));
    expect(said.slice(0, 2)).toEqual(['counting, 0 %', 'counting, 20 %']);
    expect(listsCheck(engine.listingProgress())).toBe('ok');
    expect(lines.at(-1)).toMatchObject({ msg: 'all sessions, tokens and logs are counted now' });
    expect(index.ids('actorId', 'a1', page)).toEqual([idOf(COUNT / 2 + 1)]);
    expect((await verifyStore(path)).problems).toEqual([]);
  } finally {
    await engine.close();
    rmSync(path, { recursive: true, force: true });
  }
});
