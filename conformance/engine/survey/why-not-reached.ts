/** Why an operation was not reached, in words for the user. */
import { Unsupported } from '../contract/keywords.ts';
import { documentedFor, type Operation } from '../contract/operations.ts';
import { GaveUp } from '../generate/filter.ts';
import { BrokenOff, NotPossible } from '../http/nonconformity.ts';
import type { Surveyed } from '../http/recipe.ts';
import { isAbsent } from './recipe-trial.ts';

const GIVE = '--data names what works';

/** Nothing that the run makes is known at the path, and a change there could harm others. */
export const NOT_OWN =
  'nothing is known that the run itself makes at this path, and what others have is not changed';

export const NO_TIME = 'the survey ended at half of --max-time';

/** @param isForeign whether paths are known, but name only what others have */
export function whyNoPath({ path }: Operation, isForeign: boolean): string {
  if (isForeign) {
    return NOT_OWN;
  }
  return `nothing says what ${path} may name: ${GIVE}`;
}

/** @param surveyed the tries, none of which reached the operation */
export function whyNotReached(operation: Operation, surveyed: Surveyed): string {
  const { operationId } = operation;
  const { status, stops = 0 } = surveyed;
  if (stops > 0) {
    return `${operationId} stops the service`;
  }
  if (status === undefined) {
    return whyNoResponse(operation, surveyed);
  }
  if (isAbsent(status) && isOfBody(operation)) {
    return `${operationId} finds nothing by what its bodies name (${status}): ${GIVE}`;
  }
  if (isAbsent(status)) {
    const where = `${operation.path} as far as it was tried (${status})`;
    return `the service has nothing at ${where}: ${GIVE}`;
  }
  return whyRefused(operation, status);
}

/** Whether a body, and not the path, has to name what exists. */
const isOfBody = ({ path, requestBody }: Operation): boolean =>
  requestBody !== null && !path.includes('{');

function whyNoResponse({ operationId }: Operation, { tried, reason }: Surveyed): string {
  const isSilent = tried.some((one) => one.status === 0);
  if (isSilent) {
    return `${operationId} gives no response`;
  }
  return reason ?? `nothing could be sent: ${GIVE}`;
}

function whyRefused(operation: Operation, status: number): string {
  const { operationId, requestBody, security } = operation;
  const isDocumented = documentedFor(operation, status) !== undefined;
  // A documented 403 may refuse the data, such as a wrong password.
  const wantsCredentials = status === 401 || (status === 403 && !isDocumented);
  if (wantsCredentials && security.length === 0) {
    const options = '--token, --auth, --cert or --header';
    return `it asks for credentials (${status}), which the contract does not say: give ${options}`;
  }
  if (status >= 500) {
    return `every call gets ${status}`;
  }
  if (isDocumented && requestBody) {
    const why = `it refuses whatever the contract allows, as documented (${status})`;
    return `${operationId} needs data: ${why}; --data names a body that works`;
  }
  return `every call gets ${status}: ${GIVE}`;
}

/**
 * The reason if no call could be made.
 * @throws the error if it ends the run
 */
export function reasonOfError(error: unknown): string {
  const isKnown = error instanceof NotPossible || error instanceof Unsupported;
  if (isKnown || error instanceof GaveUp) {
    return error.message;
  }
  if (error instanceof BrokenOff || !(error instanceof Error)) {
    throw error;
  }
  // The requirements of the operation say where it failed; the others are tried.
  return `the suite failed: ${error.name}: ${error.message}`;
}
