/** Connections on which nothing comes: as many as the server takes, and some beyond. */
import type { Kind, Reply } from '../case.ts';
import { GET } from '../requests.ts';
import { open, type Wire } from '../wire.ts';

/** The server takes 10,000; this process needs as many files, and some for itself. */
export function idleConnections(openFiles: number): number {
  return Math.max(50, Math.min(10_300, openFiles - 200));
}

const IN_FLIGHT = 200;

export function idle(openFiles: number): Kind {
  const count = idleConnections(openFiles);
  return {
    name: `${count.toLocaleString('en')} idle connections`,
    cases: [
      { name: 'none of them says a word', long: true, send: ({ port }) => holding(port, count, '') },
      {
        name: 'each of them after a request',
        long: true,
        mayBeServed: true,
        send: ({ port }) => holding(port, count, GET),
      },
      { name: '200 of them, and gone', mayBeServed: true, send: ({ port }) => gone(port, 200) },
    ],
    atOnce: 1,
  };
}

/** Opens all and waits until the server has closed each of them. */
async function holding(port: number, count: number, request: string): Promise<Reply[]> {
  const wires: Wire[] = [];
  for (let opened = 0; opened < count; opened += IN_FLIGHT) {
    wires.push(...(await Promise.all(Array.from({ length: Math.min(IN_FLIGHT, count - opened) }, () => open(port)))));
    if (request !== '') for (const { socket } of wires.slice(-IN_FLIGHT)) socket.write(request);
  }
  return Promise.all(wires.map((wire) => wire.outlast()));
}

async function gone(port: number, count: number): Promise<Reply[]> {
  const wires = await Promise.all(Array.from({ length: count }, () => open(port)));
  for (const wire of wires) wire.cut();
  return [{ statuses: [200], problems: [], closed: true, sent: 0 }];
}
