import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Tuple } from '#engine';
import type { ServiceFolder } from '../../store/service-folder.ts';
import { builtService, openAsService } from '../people/built-service.ts';

/** An organization in the data folder of the service: a model of its own, and a few folders. */
export interface LoadedOrganization {
  readonly slug: string;
  readonly adminApiKey: string;
}

export interface OrganizationsFolder {
  readonly folder: string;
  readonly organizations: readonly LoadedOrganization[];
}

export const DOCUMENTS = 8;
const AT_ONCE = 100;
/** In the name of a type, so that no two organizations have the same model. */
const NUMBER_LENGTH = 6;
const template = '0'.repeat(NUMBER_LENGTH);

/** With so many organizations, as it is kept between runs. */
export function organizationsFolder(count: number, note: (text: string) => void): ServiceFolder<OrganizationsFolder> {
  return {
    name: `organizations-${count}`,
    sources: ['bench/http/organizations/load-organizations.js'],
    facts: { count },
    make: (scratch) => loadOrganizations(scratch, count, note),
  };
}

/** Made in this process, by the parts of the service that make the same one by one. */
async function loadOrganizations(
  scratch: string,
  count: number,
  note: (text: string) => void,
): Promise<OrganizationsFolder> {
  const folder = join(scratch, 'data');
  const path = join(folder, 'store');
  mkdirSync(path, { recursive: true });
  const built = await builtService();
  const engine = await openAsService(built, folder, path);
  const systemModel = built.systemModelOf(built.modules);
  const clock = built.systemClock;
  const made = new built.Organizations({ engine, clock, newId: built.uuidGenerator(clock), systemModel });
  await made.prepare();
  const { model: base } = systemModel;
  let prepared: string | undefined;
  const create = async (number: number): Promise<LoadedOrganization> => {
    const slug = `o${numbered(number)}`;
    const created = await made.create(slug, slug);
    if (created === undefined) throw new Error(`the organization ${slug} is there already`);
    const store = engine.store(`org:${slug}`);
    prepared ??= JSON.stringify(store.prepareModel({ dsl: modelOf(template) }, { base }));
    const model = JSON.parse(prepared.replaceAll(template, numbered(number))) as ReturnType<typeof store.prepareModel>;
    const tuples = [...tuplesOf(numbered(number))];
    const also = [{ op: 'write_tuples', store: store.name, tuples } as const];
    await store.writePreparedModel({ dsl: modelOf(numbered(number)) }, model, { also });
    return { slug, adminApiKey: created.adminApiKey };
  };
  const organizations: LoadedOrganization[] = [];
  for (let from = 0; from < count; from += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, place) => create(from + place));
    organizations.push(...(await Promise.all(some)));
    if (organizations.length % 1_000 === 0) note(`${organizations.length} organizations`);
  }
  await engine.close();
  return { folder, organizations };
}

/** Each is the same but for one name. */
function modelOf(number: string): string {
  return `model
  schema 1.1
type user
type folder_${number}
  relations
    define owner: [user]
    define viewer: [user, group#member] or owner
type document
  relations
    define parent: [folder_${number}]
    define owner: [user]
    define editor: [user, group#member] or owner
    define can_read: editor or viewer from parent
`;
}

function* tuplesOf(number: string): Iterable<Tuple> {
  for (let document = 0; document < DOCUMENTS; document++) {
    const folder = `folder_${number}:f${document}`;
    yield { object: `document:d${document}`, relation: 'parent', subject: folder };
    yield { object: folder, relation: 'viewer', subject: `user:u${document}` };
  }
}

function numbered(number: number): string {
  return String(number + 1).padStart(NUMBER_LENGTH, '0');
}
