import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FILES = ['openfga/consolidated_1_1_tests.yaml', 'openfga/abac_tests.yaml'] as const;

/** The files of the OpenFGA suite that are there, and why none is where none is. */
export function suiteFiles(): { readonly files: readonly string[]; readonly reason: string } {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const folder = process.env.RELATA_CONFORMANCE_DIR ?? join(root, '../shared/conformance');
  const files = FILES.map((file) => join(folder, file)).filter((path) => existsSync(path));
  return { files, reason: `no OpenFGA suite in ${folder}: set RELATA_CONFORMANCE_DIR` };
}
