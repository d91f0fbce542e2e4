/** Tries the suite on planted faults. */
import type { Report, RequirementResult, Status } from '../report/report.ts';
import type { JudgeOptions, TestBed } from './test-bed.ts';
import { type Fault, TOKEN } from './fault.ts';
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

/** Whether the requirement that the fault names fails. */
export async function tryFault(bed: TestBed, fault: Fault, seed: number): Promise<Trial> {
  const report = await bed.judge(faulty(fault), { ...forFault(fault), ...alone(bed, fault), seed });
  const { status, reason } = resultOf(report, fault.caughtBy);
  return { caught: status === 'fail', status, reason, requests: report.requests, ms: report.duration_ms };
}

/** Whether that requirement holds where nothing is planted: else it would catch whatever there is. */
export async function tryWithoutFault(bed: TestBed, requirements: readonly string[], seed: number, token: string | undefined): Promise<RequirementResult[]> {
  const plain = createIndependentService({ token });
  const report = await bed.judge(async (request) => plain(request), { seed, token, only: [...requirements] });
  return report.requirements.filter(({ id }) => requirements.includes(id));
}

export interface WholeTrial {
  /** From the start of the run to the first failure that it tells; undefined when nothing fails. */
  firstFailureMs: number | undefined;
  firstFailure: string | undefined;
  /** How many requirements fail. */
  failures: number;
  caught: boolean;
}

/** The whole suite against one fault, as somebody sees it who does not know where to look. */
export async function tryWholeSuite(bed: TestBed, fault: Fault, seed: number): Promise<WholeTrial> {
  const started = performance.now();
  let first: { ms: number; id: string } | undefined;
  const finished = ({ id, status }: RequirementResult) => {
    if (status === 'fail') first ??= { ms: performance.now() - started, id };
  };
  const report = await bed.judge(faulty(fault), { ...forFault(fault), seed, progress: { finished } });
  return {
    firstFailureMs: first?.ms,
    firstFailure: first?.id,
    failures: report.summary.fail,
    caught: resultOf(report, fault.caughtBy).status === 'fail',
  };
}

/** `only` takes beginnings of ids; what others do meanwhile must not hide a fault, nor show it. */
function alone({ requirements }: TestBed, { caughtBy }: Fault): Pick<JudgeOptions, 'only' | 'skip'> {
  const longer = requirements.filter((id) => id !== caughtBy && id.startsWith(caughtBy));
  return { only: [caughtBy], skip: longer.map((prefix) => ({ prefix, reason: 'not the one in question' })) };
}

function faulty(fault: Fault) {
  return fault.plant(createIndependentService(forFault(fault)));
}

function forFault({ needsToken }: Fault): { token: string | undefined } {
  return { token: needsToken ? TOKEN : undefined };
}

function resultOf({ requirements }: Report, id: string): RequirementResult {
  return requirements.find((one) => one.id === id)!;
}
