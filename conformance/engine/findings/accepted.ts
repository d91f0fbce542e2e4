/** Causes that a user accepts for a time: `accept` in conformance.yaml. */
import type { components } from '../../../generated/report/types.ts';
import { partOfId } from './cause.ts';
import { KINDS } from './kinds.ts';

type Schemas = components['schemas'];
type Finding = Schemas['Finding'];
type Failure = Schemas['Failure'];

/** An entry; it is excused until the end of the day (UTC) at which it expires. */
export type Accepted = Schemas['Accepted'];

/** `KIND:OPERATION:WHAT`; the operation may be `*`. */
const CAUSE_ID = /^([a-z-]+):([^\s:]+):(\S+)$/;

/** The error of the text as the id of a cause; undefined if it is such an id. */
export function wrongCauseId(text: string): string | undefined {
  const [, kind] = CAUSE_ID.exec(text) ?? [];
  if (kind === undefined) {
    return 'is not the id of a cause, such as server-error:createPet:500: copy it from a report';
  }
  if (!KINDS.some((one) => one === kind)) {
    return `begins with none of the kinds ${KINDS.join(', ')}`;
  }
  return undefined;
}

/** The id of the same cause, whichever operation has it. */
export const ofAnyOperation = (causeId: string): string => {
  const [kind = '', , ...what] = causeId.split(':');
  return [kind, '*', ...what].join(':');
};

/** The parts of a failure by which an entry names it. */
export type OfCause = Pick<Failure, 'cause_id' | 'evidence'>;

/** The id of the cause with its evidence; undefined if it has none. */
export function idWithEvidence({ cause_id: id, evidence }: OfCause): string | undefined {
  return evidence === undefined ? undefined : `${id}-${partOfId(evidence)}`;
}

/** The entry that names the cause, for its operation or for any; the most exact one. */
export function acceptedIn(entries: readonly Accepted[], failure: OfCause): Accepted | undefined {
  const ids = [idWithEvidence(failure), failure.cause_id].filter((id) => id !== undefined);
  const ofAny = ids.map(ofAnyOperation);
  for (const id of [...ids, ...ofAny]) {
    const found = entries.find(({ cause }) => cause === id);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

/** A sentence for each entry whose cause did not occur. */
export function unusedEntries(
  entries: readonly Accepted[],
  findings: readonly Finding[],
): string[] {
  const used = new Set(findings.map(({ accepted }) => accepted?.cause));
  return entries
    .filter(({ cause }) => !used.has(cause))
    .map(({ cause }) => `The accepted cause ${cause} did not occur: remove it if it is fixed.`);
}
