import { get } from 'node:http';

/** Asks over a connection of its own. Status of the answer, or the code of the error. */
export function ask(port: number, path: string, localAddress = '127.0.0.1'): Promise<number | string> {
  return new Promise((resolve) => {
    const sent = get({ host: '127.0.0.1', port, path, localAddress, agent: false }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}
