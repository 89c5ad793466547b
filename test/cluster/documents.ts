import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Answer, Organization, type Service } from '../server/running-service.ts';

const main = fileURLToPath(new URL('../../dist/bundle/main.js', import.meta.url));
const run = promisify(execFile);

export const documentModel = `model
  schema 1.1
type document
  relations
    define viewer: [user]
`;

/** Documents of one organization, and who views them, written and asked at any node. */
export class Documents {
  readonly #organization: Organization;

  constructor(organization: Organization) {
    this.#organization = organization;
  }

  /** The organization at another node. */
  at(node: Service): Organization {
    return new Organization(node, this.#organization.slug, this.#organization.key);
  }

  write(node: Service, name: string): Promise<Answer> {
    return this.at(node).post('/zanzibar/tuples', { writes: [`document:${name}#viewer@user:anne`] });
  }

  check(node: Service, name: string, consistency?: unknown): Promise<Answer> {
    const question = { object: `document:${name}`, relation: 'viewer', subject: 'user:anne' };
    return this.at(node).post('/zanzibar/check', { ...question, consistency });
  }
}

interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

/** What `relata cluster ...` prints. Rejects with it where the command fails. */
export function clusterCommand(env: Readonly<Record<string, string>>, ...words: string[]): Promise<Printed> {
  return relataCommand(env, 'cluster', ...words);
}

export function relataCommand(env: Readonly<Record<string, string>>, ...words: string[]): Promise<Printed> {
  return run(process.execPath, [main, ...words], { env });
}
