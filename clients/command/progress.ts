/** Shows the progress of a command that prints nothing else. */

/** Called with each step, as a sentence without its full stop. */
export type Report = (step: string) => void;

export interface Progress {
  report: Report;
  end(): void;
}

const INTERVAL_MS = 10_000;

/** Writes each step, and every ten seconds how long it takes already. */
export function startProgress(write: (line: string) => void): Progress {
  let timer: NodeJS.Timeout | undefined;
  const end = () => clearInterval(timer);
  const report = (step: string) => {
    end();
    write(`${step} ...\n`);
    let seconds = 0;
    timer = setInterval(() => {
      seconds += INTERVAL_MS / 1000;
      write(`${step} ... ${seconds} s\n`);
    }, INTERVAL_MS);
  };
  return { report, end };
}
