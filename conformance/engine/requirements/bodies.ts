/**
 * From each clause of each request body: values on its limits are accepted, values that break it
 * are refused.
 */
import { exactBound } from '../contract/exact-bounds.ts';
import { memberOf } from '../contract/by-name.ts';
import { type Clause, clausesOf } from '../contract/clauses.ts';
import { reasonOf } from '../contract/implied.ts';
import { stringifyJson } from '../contract/json-numbers.ts';
import { tooLarge } from '../contract/keywords.ts';
import type { Contract } from '../contract/load.ts';
import { isJson, isJsonSequence, isPlainText, isRaw } from '../contract/media-types.ts';
import { hasNoUseForBodies, type Operation, type RequestBody } from '../contract/operations.ts';
import { mergesMember } from '../contract/merging.ts';
import { originOfError } from '../contract/origins.ts';
import { isObject, joinPointer, replacedAt } from '../contract/pointers.ts';
import { schemasOf } from '../contract/schemas.ts';
import { shapeOf, withoutNull } from '../contract/shape.ts';
import { asRequest } from '../contract/variants.ts';
import { boundariesOfClause } from '../generate/boundaries.ts';
import { violationsOfClause } from '../generate/violations.ts';
import { carried } from '../generate/bodies.ts';
import { accepted, samples } from '../generate/filter.ts';
import { numbersBeyond } from '../generate/numbers.ts';
import type { CallInput } from '../http/call.ts';
import { expectRefusal, refuse, succeed } from '../http/expect-response.ts';
import type { Implementation } from '../http/implementation.ts';
import { Nonconformity, NotPossible, show } from '../http/nonconformity.ts';
import type { HttpResponse } from '../http/response.ts';
import type { Session } from '../http/session.ts';
import type { Api } from './api.ts';
import { besideAccepted, controlsOf, isOfNames, withNamesOf } from './accepted-base.ts';
import {
  acceptedBody,
  acceptedWith,
  callToRefuse,
  refusalStatuses,
  refuseBody,
  respondWithoutConflict,
  sendable,
  validCall,
} from './calls.ts';
import {
  CLAUSE,
  each,
  eachText,
  forAll,
  once,
  type Property,
  basedRequirement,
  type Requirement,
} from './requirement.ts';
import { ruleInWords } from './rule-in-words.ts';

/** A clause of the body of an operation. */
interface BodyClause {
  operation: Operation;
  body: RequestBody;
  clause: Clause;
  api: Api;
}

export function bodyClauseRequirements(
  contract: Contract,
  operation: Operation,
  api: Api,
): Requirement[] {
  const { requestBody: body } = operation;
  const sent = asRequest(contract);
  // Services do not agree on the meaning of a clause for bytes.
  if (!body || isJsonSequence(body.mediaType)) {
    return [];
  }
  if (isRaw(body.mediaType) && !isScalarText(sent, body)) {
    return [];
  }
  const clauses = clausesOf(sent, body.pointer).filter(
    (clause) => reasonOf(sent, body.pointer, clause) === undefined,
  );
  const requirements = clauses.map((clause) =>
    clauseRequirement(sent, { operation, body, clause, api }),
  );
  // A form without fields has no bytes, and is a form all the same.
  const isNothing = isJson(body.mediaType) || shapeOf(sent, body.pointer).required.size > 0;
  if (body.required && isNothing) {
    return [missingBody(operation), ...requirements];
  }
  return requirements;
}

/** Whether a text of the body is one value, such as a word or a number. */
function isScalarText(sent: Contract, { mediaType, pointer }: RequestBody): boolean {
  const { types } = withoutNull(sent, shapeOf(sent, pointer));
  return isPlainText(mediaType) && !types.has('object') && !types.has('array');
}

function clauseRequirement(sent: Contract, subject: BodyClause): Requirement {
  const { operation, body, clause, api } = subject;
  const rule = `${operation.operationId}: ${ruleInWords(clause)}.`;
  const due = 'A body that breaks this rule is refused, and one that just keeps it is accepted.';
  const sentence = `${rule} ${due}`;
  const properties = (implementation: Implementation): Property[] => [
    ...acceptances(implementation, subject),
    ...refusals(implementation, subject),
    ...numberSpellings(implementation, subject),
  ];
  const stated = basedRequirement(operation, `body.${clause.id}`, {
    stated: clause,
    sentence,
    properties,
  });
  const weight = api.weight?.(operation, clause) ?? CLAUSE * Math.max(1, waysToBreak(sent, clause));
  // The clause alone decides whether there is something to try: to make a large body takes long.
  const reason = noUseOf(operation) ?? whyNotTried(body, clause);
  return { ...stated, weight, skip: () => reason };
}

const BRANCHES: ReadonlySet<string> = new Set(['anyOf', 'oneOf']);

/**
 * Each clause of a branch breaks the rule in another way.
 * @returns 0 for a rule without branches
 */
function waysToBreak(sent: Contract, { keyword, schema, pointer }: Clause): number {
  if (!BRANCHES.has(keyword)) {
    return 0;
  }
  let ways = 0;
  for (const index of (schema[keyword] as unknown[]).keys()) {
    ways += clausesOf(sent, joinPointer(pointer, index)).length;
  }
  return ways;
}

/** Why nothing is due for the body; undefined if something is. */
function noUseOf(operation: Operation): string | undefined {
  if (!hasNoUseForBodies(operation)) {
    return undefined;
  }
  return `services may ignore or refuse the body of a ${operation.method} request (RFC 9110, 9.3)`;
}

function whyNotTried(body: RequestBody, clause: Clause): string | undefined {
  const { path, keyword } = clause;
  const [field = ''] = path;
  const depth = path.length + (keyword === 'required' ? 1 : 0);
  if (depth > 2 && memberOf(body.fields, field)?.style !== undefined) {
    return 'services read differently what a form holds so deep';
  }
  return tooLarge(clause);
}

function missingBody(operation: Operation): Requirement {
  const { operationId, origin, pointer } = operation;
  const stated = { origin, pointer: `${pointer}/requestBody` };
  const sentence = `${operationId} refuses a request without a body.`;
  // Without a body there is no media type, either.
  const statuses = [...refusalStatuses(operation), 415];
  const check = async (session: Session): Promise<void> => {
    const { json: _, ...input } = await callToRefuse(session, operationId);
    await refuse(session, operationId, input, { statuses, why: 'The body is missing.' });
  };
  const requirement = basedRequirement(operation, 'body.missing', {
    stated,
    sentence,
    properties: () => [once('no body', check)],
  });
  const reason = noUseOf(operation);
  if (reason === undefined) {
    return requirement;
  }
  return { ...requirement, skip: () => reason };
}

function acceptances(implementation: Implementation, subject: BodyClause): Property[] {
  const { operation, body, clause, api } = subject;
  const { contract, hints, origin } = implementation;
  // The values around a limit have forms that the source may not show: by the source alone, only
  // refusals count there.
  const onlyRefusals = origin === 'source' && operation.level === 'extended';
  if (onlyRefusals || namesItem(implementation, subject) || isMerged(subject)) {
    return [];
  }
  const sent = asRequest(contract);
  const place = { contract, pointer: body.pointer, clause };
  const knows = api.knows?.(implementation);
  const check = async (value: unknown, session: Session): Promise<void> => {
    const call = await validCall(session, operation.operationId);
    session.kept = keptBy(clause);
    const found = await acceptedBody(session, operation);
    const base = acceptedWith(session, operation, call, found);
    const json =
      base === undefined
        ? await sendable(session, operation, call, value)
        : withNamesOf(base, besideAccepted(base, value, place), namesMade(session, operation));
    const why = `The body keeps the rule that ${ruleInWords(clause)}.`;
    const controls = () => (base === undefined ? [] : controlsOf(json, base, place));
    const input = { ...call, json };
    const response = await succeedBeside(session, operation, input, { controls, why });
    // A service that cuts what is too long would accept it, too.
    api.expectEcho?.(session.implementation.contract, operation, json, response);
  };
  const boundaries = boundariesOfClause(sent, body.pointer, hints, clause);
  return boundaries.map(({ label, value }): Property => {
    const whole = carried(sent, body, value, true);
    // An implementation may refuse a body with names that it does not know. Nearly always, the
    // value on the limit decides whether it knows the body: a few tries are enough.
    const values = knows ? accepted(whole, 'value that the implementation knows', knows, 5) : whole;
    return { ...forAll(`accepts ${label}`, values, check), mayBeEmpty: true };
  });
}

/** A body that keeps a rule. */
interface KeptRule {
  /** Makes the bodies that show whether the rule is the reason of a refusal. */
  controls: () => unknown[];
  why: string;
}

/**
 * Calls an operation whose success is due. A refusal of a value says nothing of it if the service
 * refuses its surroundings, too: the requirement of the success reports that.
 * @throws Nonconformity; NotPossible
 */
async function succeedBeside(
  session: Session,
  operation: Operation,
  input: CallInput,
  { controls, why }: KeptRule,
): Promise<HttpResponse> {
  const { operationId } = operation;
  try {
    return await succeed(session, operationId, input, why);
  } catch (error) {
    const isRefusal = error instanceof Nonconformity && /^4\d\d/.test(error.details.got);
    const { body: _, ...call } = input;
    for (const json of isRefusal ? controls() : []) {
      const { status } = await session.call(operationId, { ...call, json });
      if (status >= 400 && status < 500 && status !== 409) {
        const around = `refuses what is around it (${status})`;
        throw new NotPossible(`${operationId} ${around}: ${show(json, 80)}`);
      }
    }
    throw error;
  }
}

/**
 * Whether a clause is about the name of an item that the run makes: another value that the contract
 * allows names nothing, or the item of somebody else.
 */
function namesItem(implementation: Implementation, { operation, clause }: BodyClause): boolean {
  const [member] = keptBy(clause);
  return member !== undefined && namesMade({ implementation }, operation).includes(member);
}

/**
 * Whether as many members as the clause allows are merged with those that are there (RFC 7396):
 * together they may be too many.
 */
function isMerged({ operation, body, clause }: BodyClause): boolean {
  const isOfMap = clause.keyword === 'maxProperties' && clause.path.length > 0;
  if (!isOfMap || operation.method !== 'PATCH') {
    return false;
  }
  return mergesMember(body.mediaType, [String(clause.schema['description'] ?? '')]);
}

/** The members of the body that name what the run makes. */
function namesMade(
  { implementation }: Pick<Session, 'implementation'>,
  { operationId }: Operation,
): string[] {
  const { makers = [] } = implementation.survey[operationId]?.recipe?.body ?? {};
  return makers.flatMap(({ values }) => Object.keys(values));
}

/** The members of a body, and of what is inside of it, on the way to what is under test. */
const keptBy = ({ path }: Clause): string[] => path.filter((segment) => !isOfNames(segment));

function refusals(implementation: Implementation, subject: BodyClause): Property[] {
  const { operation, body, clause } = subject;
  const { contract, hints, origin } = implementation;
  const { operationId } = operation;
  const sent = asRequest(contract);
  const check = async (json: unknown, session: Session): Promise<void> => {
    const call = await callToRefuse(session, operationId);
    const place = { contract, pointer: body.pointer, clause };
    const inputOf = (found: unknown) => {
      const base = acceptedWith(session, operation, call, found);
      return { ...call, json: besideAccepted(base, json, place) };
    };
    const why = `The body breaks the rule that ${ruleInWords(clause)}.`;
    await refuseBody(session, operation, inputOf, { statuses: refusalStatuses(operation), why });
  };
  // A clause of the source, such as a branch with several properties, may hold rules that were
  // decided.
  const isDue = (json: unknown): boolean => {
    if (origin === 'all') {
      return true;
    }
    const errors = schemasOf(sent).validate(body.pointer, json);
    return errors.some((error) => originOfError(sent, error, 'request').startsWith('source'));
  };
  const violations = violationsOfClause(sent, body.pointer, hints, clause);
  return violations.map(({ label, value, kind }): Property => {
    const whole = carried(sent, body, value, false);
    const values = accepted(whole, 'body that the source refuses', isDue);
    return { ...forAll(`refuses ${label}`, values, check), mayBeEmpty: true, kind };
  });
}

/** The number that a clause limits, in a valid body: it is written in other ways. */
interface NumberInBody extends BodyClause {
  bound: number;
  /** A valid body with a number at the path of the clause, beside the rest of an accepted one. */
  numberBody(accepted: unknown): unknown;
}

/**
 * A number counts by its value, however it is written; one with too many digits is refused, and
 * neither rounded nor the cause of a crash.
 */
function numberSpellings(implementation: Implementation, subject: BodyClause): Property[] {
  const { contract, hints, origin } = implementation;
  const { body, clause } = subject;
  const bound = boundOf(clause);
  if (bound === undefined || origin === 'source' || !isJson(body.mediaType)) {
    return [];
  }
  const [limit] = boundariesOfClause(asRequest(contract), body.pointer, hints, clause);
  if (limit === undefined) {
    return [];
  }
  const place = { contract, pointer: body.pointer, clause };
  const numberBody = (base: unknown) => besideAccepted(base, samples(limit.value, 1)[0], place);
  const first = numberBody(undefined);
  if (first === undefined || !isNamed(first, clause.path)) {
    return [];
  }
  const number: NumberInBody = { ...subject, bound, numberBody };
  const beyond = numbersOutOfRange(number);
  if (namesItem(implementation, subject)) {
    return beyond;
  }
  return [...otherSpellings(contract, number), ...beyond];
}

/** The number of `minimum` or `maximum`; undefined for other clauses. */
function boundOf({ keyword, schema }: Clause): number | undefined {
  const isNumber = schema['type'] === 'integer' || schema['type'] === 'number';
  if (!isNumber || (keyword !== 'minimum' && keyword !== 'maximum')) {
    return undefined;
  }
  const bound = exactBound(schema, keyword);
  return typeof bound === 'number' ? bound : undefined;
}

function otherSpellings(contract: Contract, number: NumberInBody): Property[] {
  const { operation, body, clause, api, bound, numberBody } = number;
  const { operationId } = operation;
  const { keyword, schema } = clause;
  // By the JSON Schema of OpenAPI 3.0, a number with a fraction or an exponent is not an integer.
  const isOld = String(contract.document['openapi']).startsWith('3.0');
  if (schema['type'] === 'integer' && isOld) {
    return [];
  }
  return eachText(spellings(keyword, bound), async (text, session) => {
    const call = await validCall(session, operationId);
    session.kept = keptBy(clause);
    const found = await acceptedBody(session, operation);
    const base = acceptedWith(session, operation, call, found);
    const made = numberBody(base);
    const json = base === undefined ? await sendable(session, operation, call, made) : made;
    const place = { contract, pointer: body.pointer, clause };
    const controls = () => (base === undefined ? [] : controlsOf(json, base, place));
    const input = withSpelling(call, clause, json, text);
    const why = `${text} is ${bound}.`;
    const response = await succeedBeside(session, operation, input, { controls, why });
    api.expectEcho?.(session.implementation.contract, operation, json, response);
  });
}

function numbersOutOfRange({ operation, clause, bound, numberBody }: NumberInBody): Property[] {
  const { operationId } = operation;
  const byLabel: Record<string, string> = {};
  for (const text of numbersBeyond(clause.keyword, bound)) {
    byLabel[show(text, 30)] = text;
  }
  // Many readers of JSON give up with 400, before anything looks at the operation.
  const statuses = [...refusalStatuses(operation), 400];
  return each(byLabel, async (text, session) => {
    const call = await callToRefuse(session, operationId);
    const inputOf = (found: unknown) => {
      const base = acceptedWith(session, operation, call, found);
      return withSpelling(call, clause, numberBody(base), text);
    };
    const response = await respondWithoutConflict(session, operation, inputOf);
    // The number cannot be read back, so that the fields that an error names are not compared with
    // it.
    const why = 'The number is out of range.';
    expectRefusal(session.implementation, operation, response, { statuses, why });
  });
}

const WHOLE = /^\d+$/;

/** Other spellings of the bound of a number. */
function spellings(keyword: string, bound: number): string[] {
  if (bound === 0) {
    return ['-0', '0.0', '-0e9'];
  }
  const digits = String(bound);
  if (keyword === 'minimum' || !WHOLE.test(digits)) {
    return [];
  }
  const fraction = digits.slice(1) || '0';
  return [
    `${digits}.0`,
    `${digits}e0`,
    `${digits.slice(0, 1)}.${fraction}E+${digits.length - 1}`,
    `${digits}000e-3`,
  ];
}

/**
 * Whether each segment of the path is the name of an existing property, and none stands for items
 * or other names.
 */
function isNamed(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) {
    return true;
  }
  return isObject(value) && Object.hasOwn(value, name) && isNamed(value[name], rest);
}

/** The call with JSON text of the value, in which the number of the clause is written as `text`. */
function withSpelling(call: CallInput, clause: Clause, json: unknown, text: string): CallInput {
  return { ...call, json: undefined, body: spelled(json, clause.path, text) };
}

/** A text that no body has, in place of the number. */
const MARK = 'conformance-number';

function spelled(json: unknown, path: readonly string[], text: string): string {
  return stringifyJson(replacedAt(json, path, MARK)).replace(stringifyJson(MARK), text);
}
