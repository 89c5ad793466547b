import { openFga } from './openfga.ts';
import type { Peer } from './peer.ts';
import { spiceDb } from './spicedb.ts';

/** The servers that the environment names: `OPENFGA_URL` and `SPICEDB_URL`, with `OPENFGA_TOKEN` and `SPICEDB_TOKEN`. */
export function peersOf(environment: Readonly<Record<string, string | undefined>>): Peer[] {
  const { OPENFGA_URL, OPENFGA_TOKEN, SPICEDB_URL, SPICEDB_TOKEN } = environment;
  return [
    ...(OPENFGA_URL ? [openFga(OPENFGA_URL, OPENFGA_TOKEN)] : []),
    ...(SPICEDB_URL ? [spiceDb(SPICEDB_URL, SPICEDB_TOKEN)] : []),
  ];
}
