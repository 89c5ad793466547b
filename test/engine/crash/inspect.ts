/**
 * Looks at what a crash left, in a process of its own: a file that a power cut left shorter than the database in it
 * says ends the process that maps it, which is a finding like others.
 *
 *     inspect.ts FOLDER PROGRESS
 *
 * The second is a file with a `Progress` as JSON. Prints a `Recovery` as JSON.
 */
import { readFileSync } from 'node:fs';
import { inspectRecovery } from './recovery.ts';
import type { Progress } from './start-child.ts';

const [path = '', progress = ''] = process.argv.slice(2);
const before = JSON.parse(readFileSync(progress, 'utf8')) as Progress;
console.log(JSON.stringify(await inspectRecovery(path, before)));
