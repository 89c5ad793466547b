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
  /** Where the service served last. */
  baseUrl: z.string().optional(),
});

/** What opens the demonstration organization. */
export type DemoCredentials = z.output<typeof credentialsSchema>;

/** Below the data folder, beside the keys, and with their mode. */
const fileName = 'demo-credentials';

/** Keeps them where `relata demo-credentials` finds them: the store has digests alone. */
export function keepCredentials(dataDir: string, credentials: DemoCredentials): void {
  replaceFile(join(dataDir, fileName), `${JSON.stringify(credentials, null, 2)}\n`);
}

/** So that commands to try name the right port, whatever settings they are printed with. A start does not fail by this. */
export function keepAddress(dataDir: string, baseUrl: string): void {
  const kept = keptCredentials(dataDir);
  if (kept === undefined || kept.baseUrl === baseUrl) return;
  try {
    keepCredentials(dataDir, { ...kept, baseUrl });
  } catch {
    // a full disk: the settings name an address, too
  }
}

/** `undefined` where none are kept, or what is kept cannot be read: they can be made anew. */
export function keptCredentials(dataDir: string): DemoCredentials | undefined {
  try {
    return credentialsSchema.parse(JSON.parse(readFileSync(join(dataDir, fileName), 'utf8')));
  } catch {
    return undefined;
  }
}
