import type { PackedCommand } from '../../../../engine/command/command.ts';
import { decodeCommand, encodeCommand } from '../../../../engine/command/encoding/command-codec.ts';
import { packCommand } from '../../../../engine/command/pack-command.ts';
import { modelToJson, parseModel } from '../../../../engine/model/index.ts';
import { modelKinds } from '../../../../engine/read/model-change.ts';
import { changesOf, commitId, MODEL, STORE, WRITERS } from '../workload.ts';

export const RETENTION = { commitsMax: 200, bytesMax: 1e6, storeBytesMax: 1e6 };

/** Any batch of a log whose commands are always the same: `count` of them from a position on, as they arrive. */
export function delivered(first: number, count: number): PackedCommand[] {
  return Array.from({ length: count }, (_, i) => decodeCommand(commandAt(first + i)));
}

function commandAt(position: number): Uint8Array {
  const time = 1_700_000_000_000 + position;
  if (position === 1) {
    const model = parseModel(MODEL);
    const written = { id: 'm', source: MODEL, json: modelToJson(model), kinds: modelKinds(model) };
    const changes = [
      { op: 'create_store', store: STORE },
      { op: 'write_model', store: STORE, model: written },
    ] as const;
    return encodeCommand(packCommand({ id: 'start', time, changes }));
  }
  const name = { round: 0, writer: position % WRITERS, number: Math.floor(position / WRITERS) };
  const id = commitId(name);
  return encodeCommand(packCommand({ id, time, changes: changesOf(name) }));
}
