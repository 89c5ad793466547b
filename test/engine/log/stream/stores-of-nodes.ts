import { expect } from 'vitest';
import type { Change, PackedCommand } from '../../../../engine/command/command.ts';
import { packCommand } from '../../../../engine/command/pack-command.ts';
import { TIME } from '../../store/scratch-store.ts';
import type { StreamNode } from './node.ts';

export const STORES = ['a', 'b', 'c'];

let made = 0;

export function append(store: string, document: unknown): Change {
  return { op: 'append_record', store, collection: 'journal', document };
}

export function command(...changes: readonly Change[]): PackedCommand {
  return packCommand({ id: `c${made++}`, time: TIME, changes });
}

export function journal(node: StreamNode, store: string): string[] {
  return node.engine
    .store(store)
    .records.list('journal', { limit: 1000 })
    .map(({ document }) => String(document));
}

/** When all have applied what the first one knows of. */
export async function equalNodes(...all: readonly StreamNode[]): Promise<void> {
  const [first, ...others] = all as [StreamNode, ...StreamNode[]];
  await first.log.barrier();
  for (const node of others) {
    await expect.poll(() => node.log.status().sequence).toBe(first.log.status().sequence);
    expect(node.log.status().state).toBe(first.log.status().state);
    expect(node.rows()).toEqual(first.rows());
  }
  expect(all.flatMap(({ stops }) => stops)).toEqual([]);
}
