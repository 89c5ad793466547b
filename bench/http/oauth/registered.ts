import { post } from '../post.ts';

/** A client of the provider, as it knows itself. */
export interface BenchClient {
  readonly id: string;
  readonly secret: string;
}

export interface BenchPerson {
  readonly email: string;
  readonly password: string;
}

/** Where an administrator makes things. */
export interface Administration {
  readonly api: string;
  readonly adminApiKey: string;
}

export async function registerClient(administration: Administration, wish: object): Promise<BenchClient> {
  const made = await create(administration, '/admin/clients', wish);
  return { id: String(made.clientId), secret: String(made.clientSecret) };
}

export async function createPerson(administration: Administration, number: number): Promise<BenchPerson> {
  const person = { email: `person${number}@example.org`, password: `correct horse ${number} battery staple` };
  await create(administration, '/admin/users', { ...person, emailVerified: true });
  return person;
}

async function create({ api, adminApiKey }: Administration, path: string, body: object) {
  const reply = await post(`${api}${path}`, { authorization: `ApiKey ${adminApiKey}` }, JSON.stringify(body));
  return (reply as { readonly data: { readonly data: Readonly<Record<string, unknown>> } }).data.data;
}
