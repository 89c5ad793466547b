import type { Engine, WriterThread } from '#engine';
import { platformStore } from '../../../kernel/organizations/index.ts';
import type { Background } from '../../../platform/index.ts';
import { logRecordId, logRecords } from './log-record.ts';

const LOOK_MS = 5000;
/** Whoever asks for the status hears of so many. */
const TOLD_MAX = 100;

/** On every node: the status of the cluster has the nodes that were seen, also those that no longer answer. */
export function tellKnownNodes(engine: Engine, writer: Pick<WriterThread, 'know'>, background: Background): void {
  background.every('known nodes', LOOK_MS, () => {
    const known = engine.read(() => logRecords.get(engine.store(platformStore), logRecordId)?.document.nodes) ?? [];
    writer.know(known.slice(0, TOLD_MAX).map(({ name, seen }) => ({ name, seen })));
  });
}
