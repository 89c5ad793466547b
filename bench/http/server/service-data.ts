import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DataSet } from '../../data/data-set.ts';
import type { Drive } from '../../data/drive/drive.ts';
import { Rights } from '../../data/rights/rights.ts';
import { writeNdjson } from '../../store/write-ndjson.ts';
import { relata } from './running-service.ts';

export const ORGANIZATION = 'bench';

/** A data folder with one organization: a drive, and rights for its users. */
export interface ServiceData {
  readonly folder: string;
  readonly drive: Drive;
  readonly rights: Rights;
  readonly adminApiKey: string;
}

/** Made as an operator would make it, by `relata import`. */
export async function prepareServiceData(scratch: string, drive: Drive): Promise<ServiceData> {
  const folder = join(scratch, 'data');
  mkdirSync(folder);
  const rights = new Rights(drive.shape);
  const { tuples, model } = writeSources(scratch, drive, (add) => rights.tuples(add));
  const output = await relata(
    ...['import', tuples, '--org', ORGANIZATION, '--create', '--model', model, '--data', folder],
  );
  const adminApiKey = /administration key: (\S+)/.exec(output)?.[1];
  if (adminApiKey === undefined) throw new Error(`no key was printed: ${output}`);
  return { folder, drive, rights, adminApiKey };
}

/** The files that `relata import` reads. */
export function writeSources(
  folder: string,
  data: DataSet,
  ...more: readonly DataSet['tuples'][]
): { readonly tuples: string; readonly model: string; readonly count: number } {
  const tuples = join(folder, `${data.name}.ndjson`);
  const model = join(folder, `${data.name}.fga`);
  writeFileSync(model, data.dsl);
  return { tuples, model, count: writeNdjson(tuples, (add) => data.tuples(add), ...more) };
}
