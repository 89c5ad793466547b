import type { ElevationDependencies } from '../../directory/elevations/index.ts';
import type { OrganizationDirectory } from '../../kernel/organizations/index.ts';
import type { Log } from '../../platform/index.ts';
import type { AskDependencies } from '../ask/index.ts';

/** What the server of the Model Context Protocol works with in one thread. */
export interface McpDependencies extends AskDependencies {
  readonly elevations: ElevationDependencies;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly directory: OrganizationDirectory;
  readonly log: Log;
}
