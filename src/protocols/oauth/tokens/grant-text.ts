import type { Organization } from '../../../kernel/organizations/index.ts';
import { equalDigests, type Sealer } from '../../../platform/index.ts';

/**
 * Texts that stand for a record and are recognised without a secret being kept: the record's id, a number, and a MAC over
 * both and the organization. All in hexadecimal digits, so that logs recognise and hide the whole.
 */
export interface GrantText {
  readonly id: string;
  /** Which text for the same record it is, from 1. */
  readonly generation: number;
}

/** What the text is for: one is never taken for another. */
export type GrantTextKind = 'refresh' | 'device';

const forms: Readonly<Record<GrantTextKind, RegExp>> = { refresh: formOf('refresh'), device: formOf('device') };

function formOf(kind: GrantTextKind): RegExp {
  return new RegExp(`^rlt_${kind}_([0-9a-f]{32})([0-9a-f]{8})([0-9a-f]{64})$`);
}

export function grantText(
  sealer: Pick<Sealer, 'mac'>,
  { id: organizationId }: Pick<Organization, 'id'>,
  kind: GrantTextKind,
  { id, generation }: GrantText,
): string {
  const number = generation.toString(16).padStart(8, '0');
  return `rlt_${kind}_${id.replaceAll('-', '')}${number}${macOf(sealer, organizationId, kind, { id, generation })}`;
}

/** What a text stands for; `undefined` where it was not made for this by this service, for this organization. */
export function readGrantText(
  sealer: Pick<Sealer, 'mac'>,
  { id: organizationId }: Pick<Organization, 'id'>,
  kind: GrantTextKind,
  text: string,
): GrantText | undefined {
  const [, digits, number, mac] = forms[kind].exec(text) ?? [];
  if (digits === undefined || number === undefined || mac === undefined) return undefined;
  const found: GrantText = { id: uuidOf(digits), generation: Number.parseInt(number, 16) };
  return equalDigests(mac, macOf(sealer, organizationId, kind, found)) ? found : undefined;
}

function macOf(
  sealer: Pick<Sealer, 'mac'>,
  organizationId: string,
  kind: GrantTextKind,
  { id, generation }: GrantText,
): string {
  const mac = sealer.mac(`${kind} token`, organizationId, id, String(generation));
  return Buffer.from(mac, 'base64url').toString('hex');
}

function uuidOf(digits: string): string {
  const part = (from: number, to?: number): string => digits.slice(from, to);
  return `${part(0, 8)}-${part(8, 12)}-${part(12, 16)}-${part(16, 20)}-${part(20)}`;
}
