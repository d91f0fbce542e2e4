/** From each clause of each request body: values on its limits are accepted, values that break it are refused. */
import { stringifyJson } from '../contract/json-numbers.ts';
import { type Clause, clausesOf } from '../contract/clauses.ts';
import { reasonOf } from '../contract/implied.ts';
import type { Contract } from '../contract/load.ts';
import { tooLarge } from '../contract/keywords.ts';
import type { Operation } from '../contract/operations.ts';
import { isJson, isRaw } from '../contract/media-types.ts';
import { originOfError } from '../contract/origins.ts';
import { isObject, joinPointer } from '../contract/pointers.ts';
import { schemasOf } from '../contract/schemas.ts';
import { shapeOf } from '../contract/shape.ts';
import { asRequest } from '../contract/variants.ts';
import { boundariesOfClause } from '../generate/boundaries.ts';
import { violationsOfClause } from '../generate/violations.ts';
import { carried } from '../generate/bodies.ts';
import { accepted, samples } from '../generate/filter.ts';
import { numbersBeyond } from '../generate/numbers.ts';
import type { CallInput } from '../http/call.ts';
import { expectRefusal, refuse, succeed } from '../http/expect-response.ts';
import type { Implementation } from '../http/implementation.ts';
import { show } from '../http/nonconformity.ts';
import type { Session } from '../http/session.ts';
import type { Api } from './api.ts';
import { callToRefuse, refusalsOf, sendable, validCall } from './calls.ts';
import {
  CLAUSE,
  each,
  eachText,
  forAll,
  once,
  type Property,
  requirementOf,
  type Requirement,
} from './requirement.ts';
import { ruleInWords } from './rule-in-words.ts';

/** A clause of the body of an operation. */
interface Subject {
  operation: Operation;
  clause: Clause;
  api: Api;
}

export function bodyRequirements(
  contract: Contract,
  operation: Operation,
  api: Api,
): Requirement[] {
  const { operationId, requestBody: body } = operation;
  // Bytes have no clause that each reader counts alike.
  if (!body || isRaw(body.mediaType)) {
    return [];
  }
  // Whether there is something to try is known without making it, which takes long for a large body.
  const sent = asRequest(contract);
  const clauses = clausesOf(sent, body.pointer).filter(
    (clause) => reasonOf(sent, body.pointer, clause) === undefined,
  );
  const requirements = clauses.map((clause): Requirement => {
    const subject = { operation, clause, api };
    const sentence = `${operationId}: ${ruleInWords(clause)}. A body that breaks this rule is refused, and one that just keeps it is accepted.`;
    // Each clause of a branch breaks the rule in a way of its own.
    const branches = /^(any|one)Of$/.test(clause.keyword)
      ? (clause.schema[clause.keyword] as unknown[])
      : [];
    const ways = branches.flatMap((_, index) =>
      clausesOf(sent, joinPointer(clause.pointer, index)),
    ).length;
    const weight = api.weight?.(operation, clause) ?? CLAUSE * Math.max(1, ways);
    const stated = requirementOf(
      operation,
      `body.${clause.id}`,
      clause,
      sentence,
      (implementation) =>
        [acceptances, refusals, numberSpellings].flatMap((tried) => tried(implementation, subject)),
    );
    const depth = clause.path.length + (clause.keyword === 'required' ? 1 : 0);
    const isLost = depth > 2 && body.fields[clause.path[0]!]?.style !== undefined;
    const reason = isLost
      ? 'services read differently what a form holds so deep'
      : tooLarge(clause);
    return { ...stated, weight, skip: () => reason };
  });
  // A form without fields is one.
  const isNothing = isJson(body.mediaType) || shapeOf(sent, body.pointer).required.size > 0;
  if (body.required && isNothing) {
    return [missingBody(operation), ...requirements];
  }
  return requirements;
}

function missingBody(operation: Operation): Requirement {
  const { operationId, origin, pointer } = operation;
  const stated = { origin, pointer: `${pointer}/requestBody` };
  return requirementOf(
    operation,
    'body.missing',
    stated,
    `${operationId} refuses a request without a body.`,
    () => [
      once('no body', async (session) => {
        const { json: _, ...input } = await callToRefuse(session, operationId);
        // Without a body there is no media type, either.
        await refuse(
          session,
          operationId,
          input,
          [...refusalsOf(operation), 415],
          'The body is missing.',
        );
      }),
    ],
  );
}

function acceptances(
  implementation: Implementation,
  { operation, clause, api }: Subject,
): Property[] {
  const { contract, hints, origin } = implementation;
  // The values around a limit have forms that the source may not show: by the source alone, only refusals count there.
  if (origin === 'source' && operation.level === 'extended') {
    return [];
  }
  const knows = api.knows?.(implementation);
  const check = async (json: unknown, session: Session) => {
    const call = await validCall(session, operation.operationId);
    const sent = sendable(session, operation, call, json);
    const why = `The body keeps the rule that ${ruleInWords(clause)}.`;
    const response = await succeed(session, operation.operationId, { ...call, json: sent }, why);
    // A service that cuts what is too long would accept it, too.
    api.expectEcho?.(operation, sent, response);
  };
  return boundariesOfClause(asRequest(contract), operation.requestBody!.pointer, hints, clause).map(
    ({ label, value }): Property => {
      // An implementation may refuse for its own reasons what it does not know.
      const whole = carried(asRequest(contract), operation.requestBody!, value, true);
      // What is on the limit decides it in nearly every case.
      const values = knows
        ? accepted(whole, 'value that the implementation knows', knows, 5)
        : whole;
      return { ...forAll(`accepts ${label}`, values, check), mayBeEmpty: true };
    },
  );
}

function refusals(
  { contract, hints, origin }: Implementation,
  { operation, clause }: Subject,
): Property[] {
  const { operationId, requestBody } = operation;
  const sent = asRequest(contract);
  const check = async (json: unknown, session: Session) => {
    const input = { ...(await callToRefuse(session, operationId)), json };
    const why = `The body breaks the rule that ${ruleInWords(clause)}.`;
    await refuse(session, operationId, input, refusalsOf(operation), why);
  };
  // A clause of the source, such as a branch with several properties, may hold rules that were decided.
  const isDue = (json: unknown): boolean => {
    const errors = origin === 'all' ? [] : schemasOf(sent).validate(requestBody!.pointer, json);
    return (
      origin === 'all' ||
      errors.some((one) => originOfError(sent, one, 'request').startsWith('source'))
    );
  };
  return violationsOfClause(sent, requestBody!.pointer, hints, clause).map(
    ({ label, value, kind }) => {
      const values = accepted(
        carried(sent, requestBody!, value, false),
        'body that the source refuses',
        isDue,
      );
      return { ...forAll(`refuses ${label}`, values, check), mayBeEmpty: true, kind };
    },
  );
}

/** A number counts by its value, however written; one with too many digits is refused: not rounded, and no crash. */
function numberSpellings(
  { contract, hints, origin }: Implementation,
  subject: Subject,
): Property[] {
  const { operation, clause, api } = subject;
  const { operationId, requestBody } = operation;
  const { keyword, schema } = clause;
  const isInteger = schema['type'] === 'integer';
  if (
    !/^m..imum$/.test(keyword) ||
    !(isInteger || schema['type'] === 'number') ||
    origin === 'source'
  ) {
    return [];
  }
  if (!isJson(requestBody!.mediaType)) {
    return [];
  }
  const [limit] = boundariesOfClause(asRequest(contract), requestBody!.pointer, hints, clause);
  const body = () => (limit ? samples(limit.value, 1)[0] : undefined);
  const first = body();
  if (first === undefined || !isNamed(first, clause.path)) {
    return [];
  }
  const bound = schema[keyword] as number;
  // By the JSON Schema of OpenAPI 3.0, a number with a fraction or an exponent is not an integer.
  const isByValue = !isInteger || !String(contract.document['openapi']).startsWith('3.0');
  const labelled = numbersBeyond(keyword, bound).map((text) => [show(text, 30), text] as const);
  const spelt = (call: CallInput, json: unknown, text: string): CallInput => {
    return { ...call, json: undefined, body: spelled(json, clause.path, text) };
  };
  return [
    ...eachText(isByValue ? spellings(keyword, bound) : [], async (text, session) => {
      const call = await validCall(session, operationId);
      const json = sendable(session, operation, call, body());
      const response = await succeed(
        session,
        operationId,
        spelt(call, json, text),
        `${text} is ${bound}.`,
      );
      api.expectEcho?.(operation, json, response);
    }),
    ...each(Object.fromEntries(labelled), async (text, session) => {
      const response = await session.call(
        operationId,
        spelt(await callToRefuse(session, operationId), body(), text),
      );
      // The number cannot be read back, so that the fields that an error names are not compared with it.
      const why = 'The number is out of range.';
      // Many a reader gives up with 400, before anything looks at the operation.
      expectRefusal(
        session.implementation,
        operation,
        response,
        [...refusalsOf(operation), 400],
        why,
      );
    }),
  ];
}

/** Other spellings of the bound of a number. */
function spellings(keyword: string, bound: number): string[] {
  if (bound === 0) {
    return ['-0', '0.0', '-0e9'];
  }
  const [head, ...tail] = String(bound);
  if (keyword === 'minimum' || !/^\d+$/.test(String(bound))) {
    return [];
  }
  return [
    `${bound}.0`,
    `${bound}e0`,
    `${head}.${tail.join('') || '0'}E+${tail.length}`,
    `${bound}000e-3`,
  ];
}

/** Whether each segment of the path is the name of a property that is there: none stands for items or for other names. */
function isNamed(value: unknown, [name, ...rest]: readonly string[]): boolean {
  return (
    name === undefined ||
    (isObject(value) && Object.hasOwn(value, name) && isNamed(value[name], rest))
  );
}

/** JSON text of the value, with the number at `path` written as `text`. */
function spelled(json: unknown, path: readonly string[], text: string): string {
  const mark = 'conformance-number';
  const replaced = (value: unknown, [name, ...rest]: readonly string[]): unknown => {
    if (name === undefined) {
      return mark;
    }
    return {
      ...(value as object),
      [name]: replaced((value as Record<string, unknown>)[name], rest),
    };
  };
  return stringifyJson(replaced(json, path)).replace(stringifyJson(mark), text);
}
