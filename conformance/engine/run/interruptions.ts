/**
 * Looks whether the service has stopped, if a request got no response: no attempt begins meanwhile.
 * What was under way when it stopped is tried alone if no single request is to blame.
 */
import type { Implementation } from '../http/implementation.ts';
import type { Suspected } from '../http/suspects.ts';
import type { CaseName } from './case-name.ts';
import type { Attempt, AttemptOptions } from './attempt.ts';
import type { RequirementResult } from './result.ts';
import type { Worker } from './run-options.ts';
import type { Stops } from './stops.ts';

/** An attempt that is under way. */
interface UnderWay {
  part: AttemptOptions['part'];
  attempt: Promise<Attempt>;
}

/** One that ended before the service stopped. */
type Ended = Pick<AttemptOptions, 'part'> & { id: string };

/** The service may have stopped because of one of the last attempts. */
const MOST_ENDED = 8;

interface Surroundings {
  implementation: Implementation;
  stops: Stops;
  /** The worker of this thread. */
  worker: Worker;
  replay: CaseName | undefined;
  /** Ends the run. */
  halt(reason: string): void;
}

export class Interruptions {
  readonly #surroundings: Surroundings;
  readonly #stops: Stops;
  #looking: Promise<void> | undefined;
  readonly #underWay = new Map<string, UnderWay>();
  /** The last ones, the newest first. */
  #ended: readonly Ended[] = [];
  /** Results of requirements that stopped the service when they were tried alone. */
  readonly #stoppedAlone = new Map<string, RequirementResult>();

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
    this.#stops = surroundings.stops;
  }

  /** Waits until no look is under way. */
  async settled(): Promise<void> {
    await this.#looking;
  }

  /** @param id of the requirement, until it is known that the service goes on after the attempt */
  begin(id: string, part: AttemptOptions['part'], attempt: Promise<Attempt>): void {
    this.#underWay.set(id, { part, attempt });
  }

  /** Looks at the service if the attempt gives a reason. Another one may have begun to look. */
  async end(id: string, { silence, hasLost }: Attempt): Promise<void> {
    if (silence !== undefined || hasLost) {
      await this.look(id);
    }
    await this.#looking;
    const ended = this.#underWay.get(id);
    this.#underWay.delete(id);
    if (ended !== undefined) {
      this.#ended = [{ id, part: ended.part }, ...this.#ended].slice(0, MOST_ENDED);
    }
  }

  /** The result of the requirement when it was tried alone, and stopped the service. */
  aloneResultOf(id: string): RequirementResult | undefined {
    return this.#stoppedAlone.get(id);
  }

  /**
   * A request without a response counts against the implementation as long as it responds to
   * others. If it does not, it has stopped.
   */
  async look(id: string): Promise<void> {
    this.#looking ??= this.#lookOnce(id).finally(() => {
      this.#looking = undefined;
    });
    await this.#looking;
  }

  async #lookOnce(id: string): Promise<void> {
    const look = await this.#stops.look();
    if (look.kind === 'gone') {
      if (look.suspected !== undefined) {
        this.#stops.noteUnknown(look.suspected);
      }
      this.#giveUp(look.reason, id, look.hasStopped);
    } else if (look.kind === 'back' && look.found === undefined) {
      await this.#tryAlone(look.suspected);
    }
  }

  /** @param hasStopped whether the service gives no response, and was not brought back */
  #giveUp(reason: string, id: string, hasStopped: boolean): void {
    const { implementation, halt } = this.#surroundings;
    implementation.isGone = hasStopped;
    halt(`${reason} It stopped while ${id} was tried: --only ${id} may show why.`);
  }

  /**
   * No request has stopped the service by itself: each requirement that was under way is tried
   * alone, with new test data, until one does.
   */
  async #tryAlone(suspected: Suspected): Promise<void> {
    const { implementation } = this.#surroundings;
    const tries: Ended[] = [];
    for (const [id, { part, attempt }] of [...this.#underWay]) {
      const ended = await attempt;
      if (isInterrupted(ended) || ended.hasLost === true) {
        tries.push({ id, part });
      }
    }
    // A service may stop a while after the request that stops it.
    for (const { id, part } of [...tries, ...this.#ended]) {
      if (implementation.halted === undefined && (await this.#stopsAlone(id, part))) {
        return;
      }
    }
    this.#stops.noteUnknown(suspected);
  }

  /** Whether the requirement stops the service again, by a request that is known then. */
  async #stopsAlone(id: string, part: AttemptOptions['part']): Promise<boolean> {
    const { worker, replay } = this.#surroundings;
    const { result } = await this.#stops.slowly(() => {
      return worker.attempt(id, { part, shrink: false, replay });
    });
    if (!(await this.#stops.hasStopped())) {
      return false;
    }
    const found = await this.#stops.noteAlone();
    this.#stoppedAlone.set(id, result);
    if (typeof found === 'string') {
      this.#giveUp(found, id, true);
    }
    return found !== undefined;
  }
}

/** Whether the attempt ended because the service had stopped, as far as it can be known. */
export function isInterrupted({ result: { status }, silence, hasLost }: Attempt): boolean {
  const hasNoBase = hasLost === true && (status === 'blocked' || status === 'skip');
  return silence !== undefined || status === 'error' || hasNoBase;
}
