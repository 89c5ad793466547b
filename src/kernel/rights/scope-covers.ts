/**
 * Whether the scopes of a token reach a permission: the one that is spelled like it, or `settings.manage`, which is full
 * administration as a permission too. Without scopes the credential is no token, and nothing is narrowed. A scope never
 * gives anything: the engine must allow it as well.
 */
export function scopeCovers(scopes: readonly string[] | undefined, permission: string): boolean {
  return scopes === undefined || scopes.includes(permission) || scopes.includes('settings.manage');
}
