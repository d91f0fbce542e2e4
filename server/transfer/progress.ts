/** How far it is: a bar on a terminal, a line now and then elsewhere. */
const EVERY_MS = 200;
const EVERY_MS_PLAIN = 5000;
const WIDTH = 30;

export interface Bar {
  /** @param done of the total, in the same unit */
  at(done: number): void;
  end(): void;
}

/** @param total undefined where it is not known: then there is no bar, only the count */
export function startBar(
  stream: NodeJS.WritableStream & { isTTY?: boolean },
  what: string,
  total: number | undefined,
): Bar {
  const live = Boolean(stream.isTTY);
  let next = performance.now() + (live ? 0 : EVERY_MS_PLAIN);
  let shown = false;
  return {
    at: (done) => {
      if (performance.now() < next) return;
      next = performance.now() + (live ? EVERY_MS : EVERY_MS_PLAIN);
      shown = true;
      stream.write(live ? `\r\u001b[K${describe(what, done, total, true)}` : `${describe(what, done, total, false)}\n`);
    },
    end: () => {
      if (live && shown) stream.write('\r\u001b[K');
    },
  };
}

export function describe(what: string, done: number, total: number | undefined, bar: boolean): string {
  if (total === undefined || total === 0) return `${done} ${what}`;
  const share = Math.min(1, done / total);
  const full = Math.round(share * WIDTH);
  const drawn = bar ? `[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}] ` : '';
  return `${drawn}${Math.floor(share * 100)} % (${done} of ${total} ${what})`;
}
