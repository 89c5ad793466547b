import type { Engine, WriterThread } from '#engine';
import { platformStore } from '../../../kernel/organizations/index.ts';
import type { Background } from '../../../platform/index.ts';
import { agreedFormats } from './known-nodes.ts';
import { logRecordId, logRecords } from './log-record.ts';

const LOOK_MS = 1000;

/** On every node: it writes to the log what all nodes read, by what is known of them. */
export function agreeOnFormats(engine: Engine, writer: Pick<WriterThread, 'agreeOn'>, background: Background): void {
  let agreed: number | undefined;
  background.every('log format', LOOK_MS, () => {
    const nodes = engine.read(() => logRecords.get(engine.store(platformStore), logRecordId)?.document.nodes);
    const format = nodes === undefined || nodes.length === 0 ? undefined : agreedFormats(nodes).log;
    if (format === undefined || format === agreed) return;
    agreed = format;
    writer.agreeOn(format);
  });
}
