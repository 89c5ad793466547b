/**
 * A second writer, which comes in where the lock does not keep it out. Writes ten commits one after the other, says the
 * revision of each on its standard output, and ends.
 *
 *     take-over.ts FOLDER
 */

import { packCommand } from '../../../engine/command/pack-command.ts';
import { LocalLog } from '../../../engine/log/local-log.ts';
import { allocateShared, openWriter } from '../../../engine/store/open-writer.ts';

const COMMITS = 10;

const [path = ''] = process.argv.slice(2);
const retention = { commitsMax: 1e9, bytesMax: 1e12, storeBytesMax: 1e12 };
const { writer, close } = openWriter({ path, shared: allocateShared(), retention, unsafeNoLock: true });
const log = new LocalLog(writer);
for (let number = 0; number < COMMITS; number++) {
  const command = { id: `other-${number}`, time: Date.now(), changes: [{ op: 'create_store', store: `o${number}` }] };
  const { revision } = await log.submit(packCommand(command as never));
  process.stdout.write(`${revision}\n`);
}
await close();
