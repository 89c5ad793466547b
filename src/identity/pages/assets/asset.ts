import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { type Endpoint, endpointFor, lasting, problem } from '../../../http/index.ts';
import { defaultConfigFile } from '../../../platform/index.ts';

/** A style sheet, script or picture of the service's own, served under a name that changes with its content. */
export interface Asset {
  /** `pages-0f3a….css` */
  readonly file: string;
  readonly contentType: string;
  readonly body: string;
}

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const HASH_LENGTH = 16;

/** A file of this package's `assets/`. */
export function asset(name: string): Asset {
  return assetFrom(name, join(dirname(dirname(defaultConfigFile())), 'assets', name));
}

/** Any file, such as the script that an installed package brings for browsers. */
export function assetFrom(name: string, path: string): Asset {
  const body = readFileSync(path, 'utf8');
  const type = extname(name);
  const contentType = contentTypes[type];
  if (contentType === undefined) throw new RangeError(`${name} is neither a style sheet nor a script nor a picture`);
  const hash = createHash('sha256').update(body).digest('hex').slice(0, HASH_LENGTH);
  return { file: `${name.slice(0, -type.length)}-${hash}${type}`, contentType, body };
}

export function assetPath(sitePath: string, { file }: Asset): string {
  return `${sitePath}/assets/${file}`;
}

const endpoint = endpointFor<unknown>();

/** `GET /assets/{file}`: what pages load, for all organizations, kept by browsers for good. */
export function assetEndpoint(assets: readonly Asset[]): Endpoint {
  const byFile = new Map(assets.map((each) => [each.file, each]));
  return endpoint({
    method: 'GET',
    path: '/assets/{file}',
    summary: 'A style sheet or script of the pages',
    tags: ['Pages'],
    access: 'public',
    rate: 'unlimited',
    responses: { 200: { description: 'The file' } },
    errors: ['not_found'],
    handler({ params }) {
      const found = byFile.get(params.file);
      return found === undefined ? problem('not_found') : lasting(found.contentType, found.body);
    },
  });
}
