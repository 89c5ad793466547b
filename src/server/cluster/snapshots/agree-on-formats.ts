import type { Engine, WriterThread } from '#engine';
import { platformStore } from '../../../kernel/organizations/index.ts';
import type { Background } from '../../../platform/index.ts';
import { agreedFormats } from './known-nodes.ts';
import { logRecordId, logRecords } from './log-record.ts';

const LOOK_MS = 1000;

/** On every node: it writes to the log what all nodes read, by what is known of them. */
export function agreeOnFormats(engine: Engine, writer: Pick<WriterThread, 'agreeOn'>, background: Background): void {
  let agreed: number | undefined;
  background.every('log_format', LOOK_MS, () => {
    const format = knownFormat(engine);
    if (format === undefined || format === agreed) return;
    agreed = format;
    writer.agreeOn(format);
  });
}

/** Once, before a start writes anything: nodes that are away now are in the record. */
export function agreeAtStart(engine: Engine, writer: Pick<WriterThread, 'agreeOn'>): void {
  const format = engine.storeNames().includes(platformStore) ? knownFormat(engine) : undefined;
  if (format !== undefined) writer.agreeOn(format);
}

function knownFormat(engine: Engine): number | undefined {
  const nodes = engine.read(() => logRecords.get(engine.store(platformStore), logRecordId)?.document.nodes);
  return nodes === undefined || nodes.length === 0 ? undefined : agreedFormats(nodes).log;
}
