/**
 * From each clause of each parameter: values on its limits are accepted, values that break it are
 * refused.
 */
import type { Clause } from '../contract/clauses.ts';
import { impliedParameterClauses, parameterClauses } from '../contract/parameter-clauses.ts';
import { stringifyJson } from '../contract/json-numbers.ts';
import { tooLarge } from '../contract/keywords.ts';
import type { Contract } from '../contract/load.ts';
import {
  documentedFor,
  documentedStatuses,
  type Operation,
  type Parameter,
} from '../contract/operations.ts';
import { parameterSchema } from '../contract/pointers.ts';
import { isPatterned, shapeOf } from '../contract/shape.ts';
import { accepted, exists } from '../generate/filter.ts';
import {
  ODD_TEXTS,
  parameterBoundaries,
  type ParameterCase,
  parameterViolations,
} from '../generate/parameters.ts';
import {
  type CallInput,
  requestTargetOf,
  withoutParameter,
  isReadInOneWay,
  withParameter,
} from '../http/call.ts';
import {
  callOrClosed,
  expectEither,
  expectRefusedAnyhow,
  refuse,
  succeed,
} from '../http/expect-response.ts';
import type { Implementation } from '../http/implementation.ts';
import { Nonconformity, NotPossible } from '../http/nonconformity.ts';
import { isEntityTag, PRECONDITION_STATUSES } from '../http/preconditions.ts';
import { lackingStatuses } from '../http/server-errors.ts';
import type { Session } from '../http/session.ts';
import { isSafe } from '../survey/left-out.ts';
import { namingParameter } from '../survey/naming-parameter.ts';
import type { Api } from './api.ts';
import { callToRefuse, refusalStatuses, refuseBody, validCall } from './calls.ts';
import { expectUnusedKey, newKey } from './idempotency-keys.ts';
import {
  CLAUSE,
  each,
  eachText,
  forAll,
  once,
  type Property,
  basedRequirement,
  type Requirement,
  skippedRequirement,
} from './requirement.ts';
import { ruleInWords } from './rule-in-words.ts';

export function parameterRequirements(
  contract: Contract,
  operation: Operation,
  api: Api,
): Requirement[] {
  const requirements: Requirement[] = [];
  const named = isSafe(operation) ? undefined : namingParameter(contract, operation);
  for (const parameter of operation.parameters) {
    if (parameter === named) {
      requirements.push(untried(operation, parameter));
      continue;
    }
    for (const clause of clausesOf(contract, parameter)) {
      requirements.push(clauseRequirement({ operation, parameter, clause, api }));
    }
    if (parameter.required && !isAlwaysSent(parameter)) {
      requirements.push(missing(operation, parameter));
    }
    // If a request changes something, an odd text may choose what it changes.
    if (operation.method === 'GET' && isOpaque(contract, parameter)) {
      requirements.push(opaque(operation, parameter));
    }
  }
  return requirements;
}

/** Another value may name what the run did not make; and without it, all may be meant. */
function untried(operation: Operation, { name }: Parameter): Requirement {
  const sentence = `${operation.operationId} keeps to the rules of \`${name}\`.`;
  const reason = `${name} says what the request changes: other values may name what others have`;
  return skippedRequirement(operation, `query.${name}`, sentence, reason);
}

/** Header fields without which there is no HTTP request. */
const OF_HTTP: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
]);

/**
 * Whether there is no request without it: it is a part of the path, or a header field that HTTP
 * itself needs.
 */
function isAlwaysSent({ in: place, name }: Parameter): boolean {
  return place === 'path' || (place === 'header' && OF_HTTP.has(name.toLowerCase()));
}

/** Whether it may hold any text: no rule refuses odd ones. */
function isOpaque(contract: Contract, { pointer, in: place }: Parameter): boolean {
  const shape = shapeOf(contract, parameterSchema(contract.document, pointer).schema);
  const isText = shape.types.has('string') && !isPatterned(shape) && !shape.choices;
  return place === 'query' && isText;
}

/** Percent-encoding that no reader can decode, or not as UTF-8. */
const UNDECODABLE = ['%', '%zz', '%ff', '%C0%80', '%ED%A0%80'];

function opaque(operation: Operation, parameter: Parameter): Requirement {
  const { operationId } = operation;
  const { name } = parameter;
  const taken = `takes an odd text as \`${name}\` for a value like any other, or refuses it`;
  const sentence = `${operationId} ${taken}.`;
  const undecodable: Record<string, string> = {};
  for (const raw of UNDECODABLE) {
    undecodable[`${raw} as it stands`] = raw;
  }
  return basedRequirement(operation, `query.${name}.odd-texts`, {
    stated: parameter,
    sentence,
    properties: () => [
      ...eachText(ODD_TEXTS, async (text, session) => {
        const call = await callToRefuse(session, operationId);
        await expectEitherOf(session, operation, callWith(call, parameter, text));
      }),
      ...each(undecodable, (raw, session) => tryUndecodable(session, operation, parameter, raw)),
    ],
  });
}

/** @param raw what the target has as the value, as it is */
async function tryUndecodable(
  session: Session,
  operation: Operation,
  parameter: Parameter,
  raw: string,
): Promise<void> {
  const call = withoutParameter(await validCall(session, operation.operationId), parameter);
  const start = requestTargetOf(operation, call);
  const separator = start.includes('?') ? '&' : '?';
  const target = `${start}${separator}${parameter.name}=${raw}`;
  const send = () => session.send({ method: operation.method, target });
  const successes = documentedStatuses(operation, 2);
  await expectRefusedAnyhow(send, 'The value cannot be decoded.', successes);
}

/** The documented success, or a refusal. @throws Nonconformity */
export async function expectEitherOf(
  session: Session,
  operation: Operation,
  input: CallInput,
): Promise<void> {
  const response = await callOrClosed(session, operation, input);
  // A value may name something that does not exist, or that the service lacks.
  const statuses = [...refusalStatuses(operation), 404, ...lackingStatuses(operation)];
  const why = 'The service may refuse the value.';
  expectEither(session.implementation, operation, response, { statuses, why, input });
}

/** The clauses of a parameter that no other clause implies. */
function clausesOf(contract: Contract, parameter: Parameter): Clause[] {
  // Only a value from the service is right, whatever the rules of its form.
  if (isEntityTag(parameter)) {
    return [];
  }
  const { pointer } = parameter;
  const implied = new Set<string>();
  for (const { clause } of impliedParameterClauses(contract, pointer)) {
    implied.add(clause.id);
  }
  return parameterClauses(contract, pointer).filter(({ id }) => !implied.has(id));
}

/** A clause of a parameter of an operation. */
interface ParameterClause {
  operation: Operation;
  parameter: Parameter;
  clause: Clause;
  api: Api;
}

const ruleOf = ({ parameter, clause }: ParameterClause): string =>
  ruleInWords(clause, `\`${parameter.name}\``);

function clauseRequirement(subject: ParameterClause): Requirement {
  const { operation, parameter, clause } = subject;
  const { in: place } = parameter;
  const rule = `${operation.operationId}: ${ruleOf(subject)}.`;
  const isAccepted = place === 'path' ? '' : ', and one that just keeps it is accepted';
  const sentence = `${rule} A ${place} that breaks this rule is refused${isAccepted}.`;
  const stated = basedRequirement(operation, `${place}.${clause.id}`, {
    stated: clause,
    sentence,
    properties: (implementation) => propertiesOf(subject, implementation),
  });
  return { ...stated, weight: CLAUSE, skip: () => whyNotRead(subject) ?? tooLarge(clause) };
}

/** Rules of the names of members. */
const OF_NAMES: ReadonlySet<string> = new Set([
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
]);

/** Why no service can read what the clause is about; undefined if it can. */
function whyNotRead({ parameter, clause }: ParameterClause): string | undefined {
  const { style, explode, name } = parameter;
  const isSpread = style === 'form' && explode;
  if (isSpread && clause.path.length === 0 && OF_NAMES.has(clause.keyword)) {
    return `each member of ${name} is a parameter: one that is unknown is an unknown parameter`;
  }
  return undefined;
}

function propertiesOf(subject: ParameterClause, { contract, hints }: Implementation): Property[] {
  const { parameter, clause, api } = subject;
  const { pointer } = parameter;
  const isOwn = (one: ParameterCase): boolean => one.clause.id === clause.id;
  // A value on a limit of a path parameter names another resource, which may not exist.
  const limits = parameter.in === 'path' ? [] : parameterBoundaries(contract, pointer, hints);
  const kept = writable(subject, limits.filter(isOwn), isShort);
  const violations = parameterViolations(contract, pointer, hints).filter(isOwn);
  const wrong = violations.filter((one) => api.exactTexts || !one.lenient);
  const accepts = (value: unknown, session: Session) => expectAccepted(session, subject, value);
  const refuses = (value: unknown, session: Session) => expectRefused(session, subject, value);
  const acceptances = kept.map(({ label, value }) => forAll(`accepts ${label}`, value, accepts));
  const cases = writable(subject, wrong);
  const isLong = cases.length > MOST_REFUSALS;
  const refusals = cases.map(({ label, value, kind }) => {
    const property = forAll(`refuses ${label}`, value, refuses);
    if (isLong) {
      return { ...property, kind };
    }
    return property;
  });
  return [...acceptances, ...refusals];
}

/** All servers take a request line of 8,000 bytes (RFC 9112, 3); the path has its part of them. */
const MOST_BYTES = 7_000;

/** Whether no server below refuses the value for its length, with 414 or 431. */
const isShort = (value: unknown): boolean =>
  encodeURIComponent(stringifyJson(value)).length <= MOST_BYTES;

/** Of one clause; of more, such as those of a long `enum`, some of each kind are tried. */
const MOST_REFUSALS = 60;

/**
 * The cases with the values that a request can carry: an item of a list between commas cannot
 * contain a comma.
 */
function writable(
  { parameter, clause }: ParameterClause,
  cases: readonly ParameterCase[],
  suits: (value: unknown) => boolean = () => true,
): ParameterCase[] {
  const isWritten = (value: unknown): boolean =>
    withParameter({}, parameter, value) !== undefined && suits(value);
  const what = `value of ${clause.id} that can be written`;
  const all = cases.map((one) => ({ ...one, value: accepted(one.value, what, isWritten) }));
  return all.filter(({ value }) => exists(value));
}

async function expectAccepted(
  session: Session,
  { operation, parameter, clause, api }: ParameterClause,
  given: unknown,
): Promise<void> {
  const { operationId } = operation;
  const { name } = parameter;
  const value = newKey(session.implementation.contract, parameter, given);
  const input = callWith(await validCall(session, operationId), parameter, value);
  if (api.mayRefuse?.(name)) {
    return expectEitherOf(session, operation, input);
  }
  try {
    await succeed(session, operationId, input, `\`${name}\` lies on a limit, which is allowed.`);
  } catch (error) {
    if (error instanceof Nonconformity) {
      const status = Number(error.details.got.slice(0, 3));
      expectUnusedKey(operation, parameter, { value, status });
    }
    await expectNoOtherChoice(session, { operation, parameter, clause }, value);
    throw error;
  }
}

/**
 * Which of several choices fits may depend on the item that the path names, such as a file or a
 * folder.
 * @throws NotPossible if the service refuses this one, as documented, and takes another one
 */
async function expectNoOtherChoice(
  session: Session,
  { operation, parameter, clause }: Omit<ParameterClause, 'api'>,
  value: unknown,
): Promise<void> {
  const { operationId, path } = operation;
  const { survey } = session.implementation;
  const isOfItem = clause.keyword === 'enum' && path.includes('{') && survey !== undefined;
  if (!isOfItem) {
    return;
  }
  const call = await validCall(session, operationId);
  const refused = await session.call(operationId, callWith(call, parameter, value));
  if (refused.status >= 500 || documentedFor(operation, refused.status) === undefined) {
    return;
  }
  for (const choice of clause.schema['enum'] as unknown[]) {
    const { status } = await session.call(operationId, callWith(call, parameter, choice));
    if (choice !== value && status >= 200 && status < 300) {
      const what = `${operationId} refuses one value of ${parameter.name} as documented`;
      throw new NotPossible(`${what} (${refused.status}), and takes another one`);
    }
  }
}

async function expectRefused(
  session: Session,
  subject: ParameterClause,
  value: unknown,
): Promise<void> {
  const { operation, parameter } = subject;
  const { operationId } = operation;
  const call = callWith(await callToRefuse(session, operationId), parameter, value);
  const statuses = [...refusalStatuses(operation)];
  if (!isReadInOneWay(operation, call)) {
    throw new NotPossible(`the path ${operation.path} can be read in several ways`);
  }
  if (parameter.in === 'path') {
    // The service may say that a resource which cannot exist does not exist.
    statuses.push(404);
  }
  const why = `The request breaks the rule that ${ruleOf(subject)}.`;
  const inputOf = (json: unknown) => (json === undefined ? call : { ...call, json });
  await refuseBody(session, operation, inputOf, { statuses, why });
}

/** The call with this value. @throws NotPossible */
export function callWith(call: CallInput, parameter: Parameter, value: unknown): CallInput {
  const input = withParameter(call, parameter, value);
  if (!input) {
    const { in: place, style } = parameter;
    throw new NotPossible(`${place} parameters of style ${style} cannot carry such a value`);
  }
  return input;
}

/** The statuses that refuse a request without the parameter. */
function statusesWithout(operation: Operation, parameter: Parameter): readonly number[] {
  const statuses = refusalStatuses(operation);
  if (!isEntityTag(parameter)) {
    return statuses;
  }
  const isDocumented = (status: number): boolean => String(status) in operation.responses;
  return [...PRECONDITION_STATUSES.filter(isDocumented), ...statuses];
}

function missing(operation: Operation, parameter: Parameter): Requirement {
  const { operationId } = operation;
  const { name, in: place } = parameter;
  const sentence = `${operationId} refuses a request without the ${place} parameter \`${name}\`.`;
  const statuses = statusesWithout(operation, parameter);
  const check = async (session: Session): Promise<void> => {
    const input = withoutParameter(await validCall(session, operationId), parameter);
    const why = `\`${name}\` is required.`;
    await refuse(session, operationId, input, { statuses, why });
  };
  return basedRequirement(operation, `${place}.${name}.missing`, {
    stated: parameter,
    sentence,
    properties: () => [once('no such parameter', check)],
  });
}
