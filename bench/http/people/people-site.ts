import type { People } from '../../data/people/people.ts';
import type { Bench } from '../../suites/suite.ts';
import type { RunningServer } from '../server/running-service.ts';
import { Client } from './client.ts';
import type { Amounts, LoadedOrganization, PeopleFolder } from './load-people.ts';

/** What the lines about an organization's people are measured on. */
export interface PeopleSite {
  readonly bench: Bench;
  /** What the names of lines begin with. */
  readonly title: string;
  readonly scratch: string;
  readonly people: People;
  readonly amounts: Amounts;
  readonly data: PeopleFolder;
  readonly service: RunningServer;
  /** Only answers, on the same transport. */
  readonly empty: RunningServer;
}

/** Where an organization's endpoints begin. */
export function baseOf({ service }: PeopleSite, { slug }: LoadedOrganization): string {
  return `${service.url}/t/${slug}/api/v1`;
}

export function headersOf({ adminApiKey }: LoadedOrganization): Readonly<Record<string, string>> {
  return { authorization: `ApiKey ${adminApiKey}`, 'content-type': 'application/json' };
}

/** A client of its administrators. */
export function clientOf(site: PeopleSite): Client {
  return new Client(baseOf(site, site.data.people), headersOf(site.data.people));
}
