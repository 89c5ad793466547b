import { BoundedMap } from '#engine';
import { permissionObject } from '../../../../kernel/rights/index.ts';

/** How a permission is called. */
interface PermissionNames {
  readonly slug: string;
  /** `permission:docs:read` of `docs:read`. */
  readonly object: string;
}

const KNOWN_MAX = 10_000;
const known = new BoundedMap<string, PermissionNames>(KNOWN_MAX);
const ascii = /^[\x21-\x7e]+$/;

/**
 * The names of a permission as texts of their own, made once. A text of a request is a slice of its body or a
 * concatenation: each look-up copies or hashes it, and a slice keeps the body in memory. The same text each time costs
 * neither.
 */
export function namesOfPermission(permission: string): PermissionNames {
  const before = known.get(permission);
  if (before !== undefined) return before;
  if (!ascii.test(permission)) {
    const slug = ownText(permission, 'utf16le');
    return { slug, object: permissionObject(slug) };
  }
  const slug = ownText(permission);
  const names = { slug, object: ownText(permissionObject(slug)) };
  known.set(slug, names);
  return names;
}

/** A copy in one piece. */
function ownText(text: string, encoding: 'latin1' | 'utf16le' = 'latin1'): string {
  return Buffer.from(text, encoding).toString(encoding);
}
