import type { Area } from '../catalogue.ts';

/** Recovery codes, as they are shown once. */
export const recovery = {
  keep: 'Each code signs you in once if you lose your second step. Keep them somewhere safe: they are not shown again.',
  heading: 'Recovery codes for {account} at {organization}',
  file: 'recovery-codes.txt',
  copy: 'Copy',
  download: 'Download',
  print: 'Print',
  copied: 'Copied.',
  copyFailed: 'Your browser did not allow copying. Select the codes and copy them yourself.',
} as const satisfies Area;
