/**
 * Started by the lock's tests as a process of its own: takes the folder, starts a child where a second parameter says so,
 * says how it went and the child's process id, and waits to be killed.
 */
import { spawn } from 'node:child_process';
import { lockFolder } from '../../../../engine/store/lock/folder-lock.ts';

try {
  lockFolder(process.argv[2] ?? '');
  const child = process.argv[3] === undefined ? undefined : spawn('sleep', ['600'], { stdio: 'ignore' });
  process.stdout.write(`held${child === undefined ? '' : ` ${child.pid}`}\n`);
} catch (error) {
  process.stdout.write(`${(error as { code?: string }).code ?? String(error)}\n`);
}
process.stdin.resume();
