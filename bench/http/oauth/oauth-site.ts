import type { Bench } from '../../suites/suite.ts';
import type { RunningServer } from '../server/running-service.ts';
import { ORGANIZATION, type ServiceData } from '../server/service-data.ts';
import type { BenchClient } from './registered.ts';

/** What the lines about tokens are measured on. */
export interface OAuthSite {
  readonly bench: Bench;
  readonly scratch: string;
  readonly data: ServiceData;
  readonly service: RunningServer;
  /** Only answers, on the same transport. */
  readonly empty: RunningServer;
  /** Programs that act for themselves, and may ask about everybody. */
  readonly programs: readonly BenchClient[];
}

export function issuerOf({ service }: Pick<OAuthSite, 'service'>): string {
  return `${service.url}/orgs/${ORGANIZATION}`;
}

export function apiOf(site: Pick<OAuthSite, 'service'>): string {
  return `${issuerOf(site)}/api/v1`;
}

export const formHeaders = { 'content-type': 'application/x-www-form-urlencoded' };

/** A form as a client sends it that authenticates in it. */
export function clientForm({ id, secret }: BenchClient, fields: Readonly<Record<string, string>>): string {
  return new URLSearchParams({ client_id: id, client_secret: secret, ...fields }).toString();
}
