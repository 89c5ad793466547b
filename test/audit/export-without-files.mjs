// Tries one export while no file may be opened, and again when one may: says what became of the job, a line each time.
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '../../dist/engine/index.js';
import { ExportRunner } from '../../dist/src/audit/export/export-runner.js';
import { platformStore } from '../../dist/src/kernel/organizations/index.js';
import { Background, manualClock, silentLog } from '../../dist/src/platform/index.js';

const path = mkdtempSync(join(tmpdir(), 'relata-export-'));
const engine = await Engine.open({ path });
await engine.createStore(platformStore);
const clock = manualClock(Date.now());
const now = clock.now();
const organization = { id: 'o', slug: 'acme' };
const times = { createdAt: now, notBefore: now + 1, expiresAt: now + 86_400_000 };
const document = { organization, format: 'csv', filters: {}, state: 'queued', ...times };
const record = { collection: 'audit_exports', id: 'j', document, indexes: { state: 'queued', organization: 'o' } };
await engine.submit(engine.command([{ op: 'put_record', store: platformStore, record }]));
const queryPool = { run: () => Promise.resolve({ ok: true, text: '{"rows":[]}' }) };
const background = new Background({ log: silentLog });
const runner = new ExportRunner({ engine, clock, queryPool, dataDir: path, background });
// looks through the folder; the job is not due yet
await runner.step();

const held = [];
try {
  for (;;) held.push(openSync('/dev/null'));
} catch {
  // no file may be opened any more
}
await tryAfter(1);
for (const file of held) closeSync(file);
await tryAfter(2_000);
await engine.close();
rmSync(path, { recursive: true });

async function tryAfter(milliseconds) {
  clock.advance(milliseconds);
  await runner.step();
  const { state, reason, attempts } = engine.store(platformStore).records.get('audit_exports', 'j').document;
  process.stdout.write(`${JSON.stringify({ state, reason, attempts })}\n`);
}
