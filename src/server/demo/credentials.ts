import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { replaceFile } from '../../platform/index.ts';

const credentialsSchema = z.strictObject({
  adminApiKey: z.string(),
  /** Of the person who can sign in. */
  email: z.string(),
  password: z.string(),
  /** ISO 8601. */
  madeAt: z.string(),
});

/** What opens the demonstration organization. */
export type DemoCredentials = z.output<typeof credentialsSchema>;

/** Below the data folder, beside the keys, and with their mode. */
const fileName = 'demo-credentials';

/** Keeps them where `relata demo-credentials` finds them: the store has digests alone. */
export function keepCredentials(dataDir: string, credentials: DemoCredentials): void {
  replaceFile(join(dataDir, fileName), `${JSON.stringify(credentials, null, 2)}\n`);
}

/** `undefined` where none are kept, or what is kept cannot be read: they can be made anew. */
export function keptCredentials(dataDir: string): DemoCredentials | undefined {
  try {
    return credentialsSchema.parse(JSON.parse(readFileSync(join(dataDir, fileName), 'utf8')));
  } catch {
    return undefined;
  }
}
