import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { defaultConfigFile } from '../../../platform/index.ts';

/** A document of this package in Markdown. */
export interface GuideDocument {
  /** Below `src/docs`: `guides/roles.md`. */
  readonly path: string;
  /** Where it is read: `/docs/guides/roles`. */
  readonly url: string;
  readonly title: string;
  /** Its first sentence, where it begins with a short one. */
  readonly lead?: string;
  /** Without its title. */
  readonly text: string;
}

/** Guides in the order in which they are read; others follow by name. */
const order = [
  'first-model',
  'checks-in-an-application',
  'roles',
  'sign-in-for-an-application',
  'agents',
  'operating',
  'settings',
  'cluster',
  'upgrading',
  'backup-and-restore',
  'glossary',
];

/** Every document below `src/docs`, guides first. */
export function readDocuments(): GuideDocument[] {
  const folder = join(dirname(dirname(defaultConfigFile())), 'src', 'docs');
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.md'));
  return paths
    .map((path) => documentOf(path, readFileSync(join(folder, path), 'utf8')))
    .toSorted((left, right) => rank(left) - rank(right) || (left.path < right.path ? -1 : 1));
}

/** @param text whose first line is its title */
export function documentOf(path: string, text: string): GuideDocument {
  const [, title = path, rest = text] = /^# (.+)\n([\s\S]*)$/.exec(text) ?? [];
  const lead = leadOf(rest);
  return { path, url: urlOf(path), title, text: rest, ...(lead === undefined ? {} : { lead }) };
}

const LEAD_MAX = 170;

function leadOf(text: string): string | undefined {
  const [paragraph = ''] = text.trim().split('\n\n', 1);
  if (!/^[\p{L}`]/u.test(paragraph)) return undefined;
  const words = paragraph.replaceAll('\n', ' ').replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1');
  const [sentence] = /^.*?[.?](?= |$)/.exec(words) ?? [words];
  return sentence.length > LEAD_MAX || sentence.endsWith(':') ? undefined : sentence;
}

/** `adr/oauth/clients.md` is read at `/docs/decisions/oauth-clients`. */
function urlOf(path: string): string {
  const name = path.replace(/\.md$/, '').split('/');
  if (name[0] === 'guides') return `/docs/guides/${name.slice(1).join('-')}`;
  return name[0] === 'adr' ? `/docs/decisions/${name.slice(1).join('-')}` : `/docs/documents/${name.join('-')}`;
}

/** What a link in a document leads to: the address of another document, or `undefined` where there is none. */
export function linkedDocument(
  documents: readonly GuideDocument[],
  from: string,
  target: string,
): GuideDocument | undefined {
  const path = posix.normalize(posix.join(posix.dirname(from), target));
  return documents.find((each) => each.path === path);
}

function rank({ path }: GuideDocument): number {
  const index = order.indexOf(path.replace(/^guides\//, '').replace(/\.md$/, ''));
  return path.startsWith('guides/') && index !== -1 ? index : order.length;
}
