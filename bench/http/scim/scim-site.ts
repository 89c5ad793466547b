import type { Bench } from '../../suites/suite.ts';
import { post } from '../post.ts';
import type { RunningServer } from '../server/running-service.ts';
import { ORGANIZATION, type ServiceData } from '../server/service-data.ts';

/** What provisioning is measured on. */
export interface ScimSite {
  readonly bench: Bench;
  readonly scratch: string;
  readonly data: ServiceData;
  readonly service: RunningServer;
  /** Only answers, on the same transport. */
  readonly empty: RunningServer;
  /** A credential of provisioning. */
  readonly token: string;
  readonly amounts: ScimAmounts;
  /** Groups that were there before, with the documents. */
  readonly groupsBefore: number;
}

export interface ScimAmounts {
  /** Provisioned while checks are answered. */
  readonly users: number;
  readonly groups: number;
  /** In all, when lists are asked for. */
  readonly listed: number;
}

export function scimBase({ service }: Pick<ScimSite, 'service'>): string {
  return `${service.url}/t/${ORGANIZATION}/scim/v2`;
}

/** Turns SCIM on, and makes a token as an administrator does. */
export async function enableScim(service: RunningServer, adminApiKey: string): Promise<string> {
  const settings = `${service.url}/orgs/${ORGANIZATION}/api/v1/admin/settings/scim`;
  const headers = { authorization: `ApiKey ${adminApiKey}` };
  const reply = await fetch(settings, {
    method: 'PATCH',
    headers: { ...headers, 'content-type': 'application/json' },
    body: '{"enabled":true}',
  });
  if (!reply.ok) throw new Error(`${settings} answered ${reply.status}: ${await reply.text()}`);
  const made = await post(`${settings}/tokens`, headers, '{"name":"bench"}');
  return (made as { readonly data: { readonly data: { readonly token: string } } }).data.data.token;
}

/** How many resources a list says that there are. */
export async function countOf(site: Pick<ScimSite, 'service' | 'token'>, path: string): Promise<number> {
  const separator = path.includes('?') ? '&' : '?';
  const reply = await fetch(`${scimBase(site)}${path}${separator}count=0`, { headers: authorization(site) });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${path} answered ${reply.status} ${text}`);
  return (JSON.parse(text) as { readonly totalResults: number }).totalResults;
}

export function authorization({ token }: Pick<ScimSite, 'token'>): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${token}` };
}
