import type { HttpRequest, HttpResponse, TemplatedApp, us_listen_socket } from 'uWebSockets.js';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export type { HttpRequest, HttpResponse, us_listen_socket };

/** `close` ends every connection; the type declarations of the package leave it out. */
export type UwsApp = TemplatedApp & { close(): void };

/** The part of uWebSockets.js that is used. */
export interface UwsBinding {
  App(): UwsApp;
  us_listen_socket_close(socket: us_listen_socket): void;
  us_socket_local_port(socket: us_listen_socket): number;
  _cfg(setting: string): void;
}

let loaded: UwsBinding | undefined;
let fault = '';

/** Why `loadUws` last answered nothing. */
export function uwsFault(): string {
  return fault;
}

/**
 * Loads the native module where the installed package has a binary for this version of Node.js. The package's own entry
 * is avoided: without a binary it falls back to JavaScript, which is slower than `node:http` and knows no peer address.
 * Both the npm alias (`binaries/`) and the official build (beside its entry) are found.
 */
export function loadUws(): UwsBinding | undefined {
  if (loaded !== undefined) return loaded;
  const require = createRequire(import.meta.url);
  const name = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`;
  try {
    const folder = dirname(require.resolve('uWebSockets.js'));
    const file = [join(folder, name), join(folder, '..', 'binaries', name)].find(existsSync);
    if (file === undefined) {
      fault = 'it has no binary for this Node.js';
      return undefined;
    }
    loaded = require(file) as UwsBinding;
    // without this every answer names the server and its version
    loaded._cfg('silent');
    return loaded;
  } catch (error) {
    fault = `it does not load: ${error instanceof Error ? error.message : String(error)}`;
    return undefined;
  }
}
