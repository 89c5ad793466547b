import { packCommand } from '../../../engine/command/pack-command.ts';
import { openTables } from '../../../engine/store/environment.ts';
import { NameTable } from '../../../engine/store/name-table.ts';
import { allocateShared } from '../../../engine/store/open-writer.ts';
import { Writer } from '../../../engine/store/write/writer.ts';

const RETENTION = { commitsMax: 1e6, bytesMax: 1e9, storeBytesMax: 1e9 };

/**
 * What two writers leave behind that know nothing of each other: each gives an id of its own to users of a store, in
 * turns. The store has `document` and `viewer` in its model. There is neither a lock nor a fence.
 */
export async function writeTwice(path: string, store: string, users: readonly string[]): Promise<void> {
  const tables = openTables({ path });
  const open = (): Writer => {
    const { names, announced } = allocateShared(2 ** 16);
    return new Writer({
      tables,
      fence: { transact: (_revision, task) => tables.root.transactionSync(task) },
      names: new NameTable(names),
      announced: new Int32Array(announced),
      retention: RETENTION,
      chainKey: undefined,
      onFault: ({ message }) => {
        throw new Error(message);
      },
    });
  };
  const writers = [open(), open()];
  const write = (writer: Writer | undefined, subject: string, id: string): void => {
    const tuples = [{ object: 'document:1', relation: 'viewer', subject }];
    writer?.apply([packCommand({ id, time: 1, changes: [{ op: 'write_tuples', store, tuples }] })]);
  };
  // both have the store in memory before either of them gives out an id
  for (const [place, writer] of writers.entries()) write(writer, 'user:both', `first-${place}`);
  for (const [place, user] of users.entries()) write(writers[place % 2], user, `c${place}`);
  await tables.root.close();
}
