import { lookup, Resolver } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';

/** All addresses of a name; the first is the one to connect to. Rejects where there are none. */
export type NameLookup = (name: string) => Promise<readonly { readonly address: string }[]>;

/** How long a name may take, in milliseconds. */
export const RESOLVE_MS = 5000;
/** Of one question to one server; it is asked twice. */
const QUESTION_MS = 1500;
/** RFC 6761, 6.3: this machine on every machine, and a name that no server is asked for. */
export const isLocalhost = /(?:^|\.)localhost\.?$/i;

/** As the system does it, with its hosts file. It has two threads for it in the whole process. */
export const systemLookup: NameLookup = (name) => lookup(name, { all: true, verbatim: true });

/**
 * Asks the DNS servers of the machine, with no thread of the process: names of a zone whose servers do not answer keep
 * no other name waiting, however many there are.
 * @param servers others, with a port where it is not 53
 */
export function dnsLookup(servers?: readonly string[]): NameLookup {
  return async (name) => {
    if (isLocalhost.test(name)) return [{ address: '127.0.0.1' }, { address: '::1' }];
    const resolver = new Resolver({ timeout: QUESTION_MS, tries: 2 });
    if (servers !== undefined) resolver.setServers(servers);
    const late = () => new Error('no server answered in time');
    try {
      const asked = Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
      const [four, six] = await within(RESOLVE_MS, asked, late);
      const found = [four, six].map((each) => (each.status === 'fulfilled' ? each.value : []));
      if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
      return (hasV4() ? found : found.reverse()).flat().map((address) => ({ address }));
    } finally {
      resolver.cancel();
    }
  };
}

/** Whether the machine has an address of IPv4 beside loopback: otherwise the others come first. */
function hasV4(): boolean {
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return own.some(({ family, internal }) => family === 'IPv4' && !internal);
}

/** What a task answers in time. @throws what `late` makes where it takes longer */
export async function within<T>(milliseconds: number, task: Promise<T>, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), milliseconds);
  });
  try {
    return await Promise.race([task, passed]);
  } finally {
    clearTimeout(timer);
  }
}
