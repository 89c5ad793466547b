#!/usr/bin/env node
/** The composition root: `relata serve` and the other commands. */
import { buildProgram } from './cli/index.ts';

let hasServerFailed = false;

const program = buildProgram({
  serve: () =>
    serveWithDemo().catch((error: unknown) => {
      hasServerFailed = true;
      throw error;
    }),
  describe: async () => {
    const { describeService } = await import('./server/modules.ts');
    return describeService();
  },
});
await program.parse(process.argv.slice(2));
// threads of a server that failed may still run, and would keep the process
if (hasServerFailed) process.exit();

/** Loads the service at its first use: the other commands need nothing of it. */
async function serveWithDemo(): Promise<void> {
  const [{ serve }, { createDemo, demoLines }] = await Promise.all([
    import('./server/index.ts'),
    import('./server/demo/index.ts'),
  ]);
  await serve({
    environment: process.env,
    write: (line) => process.stdout.write(`${line}\n`),
    async prepare({ reader, organizations }, config) {
      const demo = config.demo ? await createDemo(reader, organizations) : undefined;
      return (baseUrl) => (demo === undefined ? [] : demoLines(demo, baseUrl));
    },
  });
}
