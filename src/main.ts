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
  // before anything is loaded: a signal that comes meanwhile ends the start as any later one does
  const ended = endSignal();
  const { serve, createDemo, demoLines, keepAddress, keepCredentials, keptCredentials, demoSlug } = await import(
    './server/index.ts'
  );
  await serve({
    environment: process.env,
    ended,
    write: (line) => process.stdout.write(`${line}\n`),
    async prepare({ reader, organizations }, { demo, dataDir }) {
      const made = demo ? await createDemo(reader, organizations) : undefined;
      if (made !== undefined) keepCredentials(dataDir, made);
      const again = 'node dist/bundle/main.js demo-credentials';
      return (baseUrl) => {
        keepAddress(dataDir, baseUrl);
        if (made !== undefined) return [...demoLines(made, baseUrl), `To see these lines again: ${again}`];
        const isKept = organizations.get(demoSlug) !== undefined && keptCredentials(dataDir) !== undefined;
        return isKept
          ? [`Demonstration organization: ${baseUrl}/t/${demoSlug}/api/v1 (its credentials: ${again})`]
          : [];
      };
    },
  });
}

/** Aborts at the first signal that asks for the end. A second one ends the process at once. */
function endSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => controller.abort(new Error(signal)));
  }
  return controller.signal;
}
