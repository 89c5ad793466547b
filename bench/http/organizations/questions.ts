import { Random, SEED } from '../../data/random.ts';
import { DOCUMENTS, type LoadedOrganization } from './load-organizations.ts';

export interface Question {
  readonly organization: LoadedOrganization;
  readonly body: string;
  readonly isAllowed: boolean;
}

/** Half are allowed: the user of a document's folder, and the user of another one. */
export function questionOf(organization: LoadedOrganization, random: Random): Question {
  const document = random.below(DOCUMENTS);
  const isAllowed = random.below(2) === 0;
  const user = isAllowed ? document : (document + 1) % DOCUMENTS;
  const body = { object: `document:d${document}`, relation: 'can_read', subject: `user:u${user}` };
  return { organization, body: JSON.stringify(body), isAllowed };
}

/** As wrk sends them: all of them are as long. */
export function wholeRequests(host: string, organizations: readonly LoadedOrganization[], count: number): string[] {
  const random = new Random(SEED);
  return Array.from({ length: count }, () => {
    const organization = organizations[random.below(organizations.length)] as LoadedOrganization;
    const { body } = questionOf(organization, random);
    const { slug, adminApiKey } = organization;
    return [
      `POST /t/${slug}/api/v1/zanzibar/check HTTP/1.1`,
      `Host: ${host}`,
      `Authorization: ApiKey ${adminApiKey}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n');
  });
}
