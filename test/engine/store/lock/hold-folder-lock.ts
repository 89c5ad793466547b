/** Started by the lock's tests as a process of its own: takes the folder, says how it went, and waits to be killed. */
import { lockFolder } from '../../../../engine/store/lock/folder-lock.ts';

try {
  lockFolder(process.argv[2] ?? '');
  process.stdout.write('held\n');
} catch (error) {
  process.stdout.write(`${(error as { code?: string }).code ?? String(error)}\n`);
}
process.stdin.resume();
