import { exportJWK, exportPKCS8, generateKeyPair } from 'jose';
import type { Organization } from '../../../kernel/organizations/index.ts';
import type { OrganizationTransaction } from '../../../kernel/transactions/index.ts';
import { isoTime, randomText, type Sealer } from '../../../platform/index.ts';
import { type AlgorithmName, signingAlgorithms } from './algorithms.ts';
import { type SigningKeyRecord, signingKeyBinding, signingKeyRecords } from './key-record.ts';

/** A key pair that no organization has yet. */
export interface FreshKey {
  readonly kid: string;
  readonly algorithm: AlgorithmName;
  readonly publicJwk: SigningKeyRecord['publicJwk'];
  readonly sealedKey: string;
}

/** Makes a key pair and seals its private half for this organization and `kid` alone. */
export async function makeKey({ id }: Organization, algorithm: AlgorithmName, sealer: Sealer): Promise<FreshKey> {
  const { modulusLength, publicMembers } = signingAlgorithms[algorithm];
  const options = { extractable: true, ...(modulusLength === undefined ? {} : { modulusLength }) };
  const pair = await generateKeyPair(algorithm, options);
  const kid = randomText(22);
  const jwk: Readonly<Record<string, unknown>> = { ...(await exportJWK(pair.publicKey)) };
  return {
    kid,
    algorithm,
    publicJwk: Object.fromEntries(publicMembers.map((name) => [name, String(jwk[name])])),
    sealedKey: sealer.seal(await exportPKCS8(pair.privateKey), signingKeyBinding(id, kid)),
  };
}

/** Puts a key on record. */
export function addKey(
  transaction: OrganizationTransaction,
  { kid, ...fresh }: FreshKey,
  { generation, activeFrom }: Pick<SigningKeyRecord, 'activeFrom' | 'generation'>,
): void {
  transaction.put(signingKeyRecords, kid, { ...fresh, generation, createdAt: transaction.now, activeFrom });
  transaction.audit({
    eventType: 'admin.action',
    action: 'signing_key.create',
    targetType: 'signing_key',
    targetId: kid,
    metadata: { algorithm: fresh.algorithm, generation, activeFrom: isoTime(activeFrom) },
  });
}
