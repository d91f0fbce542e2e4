/** How long a server takes from its start to good answers. */
import { SCENARIOS } from './scenarios.ts';
import { median } from './measure.ts';
import { type Kind, Subject } from './subject.ts';

export interface Start {
  /** From the spawn of the process to its first good answer. */
  readyMs: number;
  /** The first request and the second, on a connection that is open. */
  firstMs: number;
  secondMs: number;
  /** The median of those that follow, one after another. */
  laterMs: number;
}

const LATER = 200;

export async function measureStart(kind: Kind, logFile: string): Promise<Start> {
  const subject = await Subject.spawn(kind, logFile);
  try {
    const connection = await subject.connect();
    const request = (await SCENARIOS[0]!.prepare([connection], 1))(0);
    const times: number[] = [];
    let readyMs = 0;
    for (let n = 0; n < LATER; n++) {
      const sent = performance.now();
      const { status, text } = await connection.send(request);
      times.push(performance.now() - sent);
      if (status !== 201) throw new Error(`${kind.name} answered its request ${n + 1} with ${text.slice(0, 200)}`);
      if (n === 0) readyMs = performance.now() - subject.spawnedAt;
    }
    connection.close();
    return { readyMs, firstMs: times[0]!, secondMs: times[1]!, laterMs: median(times.slice(2)) };
  } finally {
    await subject.end();
  }
}
