/** The results of a run so far. */
import { acceptedIn } from '../findings/accepted.ts';
import type { RequirementResult } from './result.ts';
import type { Progress, RunOptions } from './run-options.ts';
import { isBroken, isExcused } from './verdict.ts';

type Options = Pick<RunOptions, 'knownFailures' | 'accept' | 'kinds'>;

export class Results {
  /** By id. */
  readonly all = new Map<string, RequirementResult>();
  readonly #options: Options;
  readonly #progress: Progress;
  /** The results of first cases of requirements that have more cases. */
  readonly #first = new Map<string, RequirementResult>();
  #broken = 0;
  #hasUnexcused = false;

  constructor(options: Options, progress: Progress) {
    this.#options = options;
    this.#progress = progress;
  }

  /** The number of broken requirements. */
  get broken(): number {
    return this.#broken;
  }

  /** Whether a requirement is broken that the user neither knows nor accepts. */
  get hasUnexcused(): boolean {
    return this.#hasUnexcused;
  }

  /** Keeps the result of the first cases until the rest is tried. */
  keepFirst(result: RequirementResult): void {
    this.#first.set(result.id, result);
  }

  /** The result with the cases and the time of the first part. */
  withFirst(result: RequirementResult): RequirementResult {
    const before = this.#first.get(result.id) ?? { cases: 0, duration_ms: 0 };
    const cases = result.cases + before.cases;
    return { ...result, cases, duration_ms: result.duration_ms + before.duration_ms };
  }

  add(found: RequirementResult): void {
    const result = ofKinds(found, this.#options.kinds);
    this.all.set(result.id, result);
    if (isBroken(result)) {
      this.#broken++;
      this.#excuse(result);
      this.#hasUnexcused ||= !isExcused(result);
    }
    this.#progress.finished(result, this.all.size);
  }

  /** Notes whether the user knows the failure, or accepts its cause. */
  #excuse(result: RequirementResult): void {
    const { knownFailures, accept } = this.#options;
    const known = knownFailures.find(({ id }) => id === result.id);
    if (known) {
      const { reason, expires, expired } = known;
      result.known_failure = { reason, expires, expired };
    }
    const accepted = result.failure && acceptedIn(accept, result.failure);
    if (accepted) {
      result.accepted = accepted;
    }
  }
}

/** The result; a failure of a kind that the user does not want is disabled. */
function ofKinds(result: RequirementResult, kinds: RunOptions['kinds']): RequirementResult {
  const { failure, ...rest } = result;
  if (failure === undefined || kinds.length === 0 || kinds.includes(failure.kind)) {
    return result;
  }
  const reason = `it is broken, by a finding of the kind ${failure.kind}, which --kind leaves out`;
  return { ...rest, status: 'disabled', reason };
}
