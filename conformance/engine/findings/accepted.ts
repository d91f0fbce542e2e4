/** Causes that a user accepts for a time: `accept` in conformance.yaml. */
import type { components } from '../../../generated/report/types.ts';
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

/** The entry that names the cause, for its operation or for any. */
export function acceptedIn(
  entries: readonly Accepted[],
  causeId: Failure['cause_id'],
): Accepted | undefined {
  return (
    entries.find(({ cause }) => cause === causeId) ??
    entries.find(({ cause }) => cause === ofAnyOperation(causeId))
  );
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
