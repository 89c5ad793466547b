import { hash, verify } from '@node-rs/argon2';
import { atLeast } from '../../report/line.ts';
import { unlessSmoke } from '../../suites/suite.ts';
import { cpuSecondsOf } from '../load/process-cpu.ts';
import { inParallel } from '../post.ts';
import { apiOf, issuerOf, type OAuthSite } from './oauth-site.ts';
import { type BenchPerson, createPerson } from './registered.ts';
import { Visitor } from './visitor.ts';

const PEOPLE = 16;
const AT_ONCE = 8;
const ROUNDS = 3;
const SIGN_INS = 200;
const VERIFICATIONS = 100;
/** A sign-in is three requests and a commit beside the verification of a password. */
const SHARE_WANTED = 0.8;

/** As passwords of the service are hashed. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** People who open the page, send their password and have a session; passwords are verified one at a time. */
export async function signInLine(site: OAuthSite): Promise<void> {
  const { bench } = site;
  const administration = { api: apiOf(site), adminApiKey: site.data.adminApiKey };
  const people: BenchPerson[] = [];
  for (let number = 1; number <= (bench.isSmoke ? 2 : PEOPLE); number++) {
    people.push(await createPerson(administration, number));
  }
  const count = bench.isSmoke ? 4 : SIGN_INS;
  if (!bench.isSmoke) await signInsPerSecond(site, people, count);
  const bare: number[] = [];
  const signedIn: number[] = [];
  const verifyMillis: number[] = [];
  const signInMillis: number[] = [];
  for (let round = 0; round < (bench.isSmoke ? 1 : ROUNDS); round++) {
    const verifications = bench.isSmoke ? 2 : VERIFICATIONS;
    const own = process.cpuUsage();
    bare.push(await verificationsPerSecond(verifications));
    const { user, system } = process.cpuUsage(own);
    verifyMillis.push((user + system) / 1000 / verifications);
    const before = cpuSecondsOf(site.service.pid);
    signedIn.push(await signInsPerSecond(site, people, count));
    signInMillis.push(((cpuSecondsOf(site.service.pid) - before) * 1000) / count);
  }
  const target = unlessSmoke(bench, atLeast(SHARE_WANTED, 'ratio'));
  bench.line({
    name: `oauth sign-ins with a password, ${AT_ONCE} at once`,
    value: middleOf(signedIn),
    unit: 'sign-ins/s',
    baseline: { name: 'argon2 verification', value: middleOf(bare) },
    ...(target === undefined ? {} : { target }),
    detail: {
      verificationCpuMillis: middleOf(verifyMillis),
      serverCpuMillis: middleOf(signInMillis),
      cpuShare: middleOf(verifyMillis) / middleOf(signInMillis),
    },
  });
}

async function signInsPerSecond(site: OAuthSite, people: readonly BenchPerson[], count: number): Promise<number> {
  const startedAt = performance.now();
  const all = Array.from({ length: count }, (_, place) => people[place % people.length] as BenchPerson);
  await inParallel(all, AT_ONCE, async (person) => {
    const visitor = new Visitor(issuerOf(site));
    await visitor.signIn(person);
    visitor.close();
  });
  return (count / (performance.now() - startedAt)) * 1000;
}

async function verificationsPerSecond(count: number): Promise<number> {
  const password = 'correct horse 1 battery staple';
  const stored = await hash(password, parameters);
  const startedAt = performance.now();
  for (let turn = 0; turn < count; turn++) if (!(await verify(stored, password))) throw new Error('not verified');
  return (count / (performance.now() - startedAt)) * 1000;
}

function middleOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] as number;
}
