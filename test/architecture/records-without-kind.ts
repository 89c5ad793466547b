/** Files of src/ that still write records without their kind. None may come, and each goes with its room's conversion. */
export const withoutKind: readonly string[] = [
  'src/federation/flow/attempt-record.ts',
  'src/federation/identities/identity-record.ts',
  'src/federation/identities/link.ts',
  'src/federation/sweep.ts',
  'src/orgs/sweep.ts',
  'src/social/provider-record.ts',
  'src/social/provider-service.ts',
];
