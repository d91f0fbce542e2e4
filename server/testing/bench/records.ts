/** What a server costs that has many edges already: its start, its memory, and the CPU time of requests. */
import { readFileSync } from 'node:fs';
import { ruledColumns } from '../../../tools/columns.ts';
import type { ServerProcess } from '../../../tools/reference-server.ts';
import { compare, CREATE, fill, LIST, median, readOfNew } from './measure.ts';

interface Amounts {
  rounds: number;
  seconds: number;
}

/**
 * @param start starts a server with the data of this name
 * @returns a table
 */
export async function besideRecords(
  counts: readonly number[],
  start: (data: string) => Promise<ServerProcess>,
  amounts: Amounts,
): Promise<string> {
  const rows: string[][] = [];
  for (const count of counts) {
    const first = await start(`records-${count}`);
    await fill(first, count);
    await first.end('SIGTERM');
    const began = performance.now();
    const server = await start(`records-${count}`);
    const ready = (performance.now() - began) / 1000;
    const memory = memoryMiB(server);
    const requests = { read: await readOfNew(server), 'list of 100': LIST, create: CREATE };
    const subject = { name: String(count), server, requests };
    const measured = await compare([subject], { connections: [8], ...amounts });
    const cpu = measured.map(({ samples }) => median(samples.map(({ cpuMicros }) => cpuMicros)).toFixed(0));
    rows.push([count.toLocaleString('en'), ready.toFixed(2), memory.toFixed(0), ...cpu]);
    await server.end('SIGTERM');
  }
  const head = ['edges', 'ready after s', 'memory MiB', 'CPU µs of a read', 'of a list of 100', 'of a create'];
  return ruledColumns([head, ...rows], [0, 1, 2, 3, 4, 5]);
}

function memoryMiB({ child }: ServerProcess): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]) / 1024;
}
