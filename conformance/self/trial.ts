/** Tries the suite on planted faults. */
import type { Level, Report, RequirementResult, Status } from '../report/report.ts';
import type { JudgeOptions, TestBed } from './test-bed.ts';
import { type Fault, GUARDED, OPEN, type Tokens } from './fault.ts';
import { createIndependentService } from './independent/index.ts';

export interface Trial {
  caught: boolean;
  /** The result of exactly the requirement that must catch the fault. */
  status: Status;
  reason: string | undefined;
  /** What it took to try that requirement, with shrinking. */
  requests: number;
  ms: number;
}

/** Whether the requirement that the fault names fails. @param shrink whether it is also made small, as for a person */
export async function tryFault(bed: TestBed, fault: Fault, seed: number, shrink = true): Promise<Trial> {
  const report = await bed.judge(faulty(fault), { ...settingOf(bed, fault), ...alone(bed, fault), seed, shrink });
  const { status, reason } = resultOf(report, fault.caughtBy);
  return { caught: status === 'fail', status, reason, requests: report.requests, ms: report.duration_ms };
}

/** Whether that requirement holds where nothing is planted: else it would catch whatever there is. */
export async function tryWithoutFault(
  bed: TestBed,
  requirements: readonly string[],
  seed: number,
  tokens: Tokens,
): Promise<RequirementResult[]> {
  const plain = createIndependentService(tokens);
  const report = await bed.judge(async (request) => plain(request), {
    seed,
    ...tokens,
    only: [...requirements],
    level: 'extended',
  });
  return report.requirements.filter(({ id }) => requirements.includes(id));
}

export interface WholeTrial {
  /** From the start of the run to the first failure that it tells; undefined when nothing fails. */
  firstFailureMs: number | undefined;
  firstFailure: string | undefined;
}

/** The whole suite against one fault up to the first failure, as somebody sees it who does not know where to look. */
export async function tryWholeSuite(bed: TestBed, fault: Fault, seed: number): Promise<WholeTrial> {
  const started = performance.now();
  let first: { ms: number; id: string } | undefined;
  const finished = ({ id, status }: RequirementResult) => {
    if (status === 'fail') first ??= { ms: performance.now() - started, id };
  };
  await bed.judge(faulty(fault), { ...settingOf(bed, fault), seed, bail: true, progress: { finished } });
  return { firstFailureMs: first?.ms, firstFailure: first?.id };
}

/** `only` takes beginnings of ids; what others of the same run do meanwhile must not hide a fault, nor show it. */
function alone({ requirements }: TestBed, { caughtBy }: Fault): Pick<JudgeOptions, 'only' | 'skip'> {
  const tried = (level: Level | undefined): boolean => level === 'core' || requirements.get(caughtBy) === 'extended';
  const longer = [...requirements]
    .filter(([id, level]) => id !== caughtBy && id.startsWith(caughtBy) && tried(level))
    .map(([id]) => id);
  return { only: [caughtBy], skip: longer.map((prefix) => ({ prefix, reason: 'not the one in question' })) };
}

function faulty(fault: Fault) {
  return fault.plant(createIndependentService(tokensFor(fault)));
}

/** A fault of the core level shows at the core level. */
function settingOf({ requirements }: TestBed, fault: Fault): Pick<JudgeOptions, 'level'> & Tokens {
  return { level: requirements.get(fault.caughtBy)!, ...tokensFor(fault) };
}

function tokensFor({ needsToken }: Fault): Tokens {
  return needsToken ? GUARDED : OPEN;
}

function resultOf({ requirements }: Report, id: string): RequirementResult {
  return requirements.find((one) => one.id === id)!;
}
