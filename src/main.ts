#!/usr/bin/env node
/** The composition root: `relata serve` and the other commands. */
import { buildProgram } from './cli/index.ts';
import { createDemo, demoLines } from './demo/index.ts';
import { serve } from './server/index.ts';

let hasServerFailed = false;

const program = buildProgram({
  serve: () =>
    serve({
      environment: process.env,
      write: (line) => process.stdout.write(`${line}\n`),
      async prepare({ reader, organizations }, config) {
        const demo = config.demo ? await createDemo(reader, organizations) : undefined;
        return (baseUrl) => (demo === undefined ? [] : demoLines(demo, baseUrl));
      },
    }).catch((error: unknown) => {
      hasServerFailed = true;
      throw error;
    }),
});
await program.parse(process.argv.slice(2));
// threads of a server that failed may still run, and would keep the process
if (hasServerFailed) process.exit();
