import { existsSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engine } from '#engine';
import { platformStore } from '../../kernel/organizations/index.ts';
import { exportFolder, exportRecords, exportStates } from './export-job.ts';

export interface ExportFilesDependencies {
  readonly engine: Engine;
  readonly dataDir: string;
}

/** Finished, or a draft. */
const exportName = /^([^.]+)\.(?:csv|json)(?:\.part)?$/;

/** Removes files of this node whose job is gone: in a cluster another node may have removed it. Leaves nothing to do. */
export async function removeForgotten({ engine, dataDir }: ExportFilesDependencies): Promise<false> {
  const folder = exportFolder(dataDir);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const index = exportRecords.index(engine.store(platformStore));
  const isKnown = (id: string): boolean => exportStates.some((state) => index.has('state', state, id));
  const forgotten = engine.read(() =>
    names.filter((name) => {
      const [, id] = exportName.exec(name) ?? [];
      return id !== undefined && !isKnown(id);
    }),
  );
  for (const name of forgotten) await rm(join(folder, name), { force: true });
  return false;
}
