import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '../../../engine/engine.ts';
import { LocalLog } from '../../../engine/log/local-log.ts';
import { PortLog } from '../../../engine/log/port-log.ts';
import { startWriter } from '../../../engine/log/start-writer.ts';
import { allocateShared, openWriter } from '../../../engine/store/open-writer.ts';
import { describeLog, type LogUnderTest } from './log-contract.ts';

const WRITER_THREAD = new URL('../../../dist/engine/log/writer-thread.js', import.meta.url);

const settingsOf = (path: string) => ({
  path,
  shared: allocateShared(2 ** 16),
  retention: { commitsMax: 1e6, bytesMax: 1e9, storeBytesMax: 1e9 },
});
const newFolder = () => mkdtempSync(join(tmpdir(), 'relata-log-'));

describeLog('in the thread of the writer', () => openLocal(newFolder()));
describeLog('behind the port of another thread', () => openBehindPort(newFolder()));

async function openLocal(path: string): Promise<LogUnderTest> {
  const settings = settingsOf(path);
  const writer = openWriter(settings);
  const log = new LocalLog(writer.writer);
  const engine = await Engine.open({ path, joined: { shared: settings.shared, log } });
  const release = async () => {
    await engine.close();
    await writer.close();
  };
  return underTest({ engine, log, other: log, path, release, open: openLocal });
}

async function openBehindPort(path: string): Promise<LogUnderTest> {
  const settings = settingsOf(path);
  const writer = await startWriter(settings, { entry: WRITER_THREAD });
  const [log, other] = [new PortLog(writer.connect()), new PortLog(writer.connect())];
  const engine = await Engine.open({ path, joined: { shared: settings.shared, log } });
  const release = async () => {
    await other.close();
    await engine.close();
    await writer.close();
  };
  return underTest({ engine, log, other, path, release, open: openBehindPort });
}

interface Parts extends Pick<LogUnderTest, 'engine' | 'log' | 'other'> {
  readonly path: string;
  readonly release: () => Promise<void>;
  readonly open: (path: string) => Promise<LogUnderTest>;
}

function underTest({ path, release, open, ...parts }: Parts): LogUnderTest {
  return {
    ...parts,
    async reopen() {
      await release();
      return open(path);
    },
    async close() {
      await release();
      rmSync(path, { recursive: true, force: true });
    },
  };
}
