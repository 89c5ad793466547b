/** Started by tests as a process of its own: the command line without a server. */
import { buildProgram } from '../../src/cli/index.ts';

await buildProgram({ serve: () => Promise.resolve() }).parse(process.argv.slice(2));
