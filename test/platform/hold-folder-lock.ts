/** Started by the lock's test as a process of its own: takes the folder, says how it went, and waits to be killed. */
import { lockFolder } from '../../src/platform/data-folder-lock.ts';

try {
  lockFolder(process.argv[2] ?? '');
  process.stdout.write('held\n');
} catch (error) {
  process.stdout.write(
    error instanceof Error && error.name === 'FolderLockedError' ? 'locked\n' : `${String(error)}\n`,
  );
}
process.stdin.resume();
