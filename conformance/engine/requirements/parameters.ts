/** From each clause of each parameter: values on its limits are accepted, values that break it are refused. */
import type { Clause } from '../contract/clauses.ts';
import { impliedParameterClauses, parameterClauses } from '../contract/parameter-clauses.ts';
import { tooLarge } from '../contract/keywords.ts';
import type { Contract } from '../contract/load.ts';
import { documentedStatuses, type Operation, type Parameter } from '../contract/operations.ts';
import { parameterSchema } from '../contract/pointers.ts';
import { isPatterned, shapeOf } from '../contract/shape.ts';
import { accepted, exists } from '../generate/filter.ts';
import {
  ODD_TEXTS,
  parameterBoundaries,
  type ParameterCase,
  parameterViolations,
} from '../generate/parameters.ts';
import { type CallInput, requestTargetOf, withoutParameter, withParameter } from '../http/call.ts';
import { expectEither, expectRefusedAnyhow, refuse, succeed } from '../http/expect-response.ts';
import { NotPossible } from '../http/nonconformity.ts';
import { isEntityTag, PRECONDITION_STATUSES } from '../http/preconditions.ts';
import type { Session } from '../http/session.ts';
import type { Api } from './api.ts';
import { callToRefuse, refusalsOf, validCall } from './calls.ts';
import {
  CLAUSE,
  each,
  eachText,
  forAll,
  once,
  requirementOf,
  type Requirement,
} from './requirement.ts';
import { ruleInWords } from './rule-in-words.ts';

export function parameterRequirements(
  contract: Contract,
  operation: Operation,
  api: Api,
): Requirement[] {
  return operation.parameters.flatMap((parameter) => [
    ...clausesOf(contract, parameter).map((clause) =>
      clauseRequirement(operation, parameter, clause, api),
    ),
    ...(parameter.required && !isAlwaysSent(parameter) ? [missing(operation, parameter)] : []),
    // Where a request changes something, an odd text may choose what.
    ...(operation.method === 'GET' && isOpaque(contract, parameter)
      ? [opaque(operation, parameter)]
      : []),
  ]);
}

/** Without it, there is no such request: a part of the path, or a header field that HTTP itself needs. */
const isAlwaysSent = ({ in: place, name }: Parameter) =>
  place === 'path' ||
  (place === 'header' && /^(host|connection|content-length|transfer-encoding)$/i.test(name));

/** Whether it may hold any text: no rule refuses odd ones. */
function isOpaque(contract: Contract, { pointer, in: place }: Parameter): boolean {
  const shape = shapeOf(contract, parameterSchema(contract.document, pointer).schema);
  return place === 'query' && shape.types.has('string') && !isPatterned(shape) && !shape.choices;
}

/** Percent-encoding that no reader can decode, or not as UTF-8. */
const UNDECODABLE = ['%', '%zz', '%ff', '%C0%80', '%ED%A0%80'];

function opaque(operation: Operation, parameter: Parameter): Requirement {
  const { operationId } = operation;
  const { name } = parameter;
  const sentence = `${operationId} takes an odd text as \`${name}\` for a value like any other, or refuses it.`;
  return requirementOf(operation, `query.${name}.odd-texts`, parameter, sentence, () => [
    ...eachText(ODD_TEXTS, async (text, session) =>
      expectEitherOf(
        session,
        operation,
        callWith(await callToRefuse(session, operationId), parameter, text),
      ),
    ),
    ...each(
      Object.fromEntries(UNDECODABLE.map((raw) => [`${raw} as it stands`, raw])),
      async (raw, session) => {
        const call = withoutParameter(await validCall(session, operationId), parameter);
        const target = requestTargetOf(operation, call);
        const undecodable = `${target}${target.includes('?') ? '&' : '?'}${name}=${raw}`;
        const send = () => session.send({ method: operation.method, target: undecodable });
        await expectRefusedAnyhow(
          send,
          'The value cannot be decoded.',
          documentedStatuses(operation, 2),
        );
      },
    ),
  ]);
}

/** The documented success, or a refusal. */
export async function expectEitherOf(
  session: Session,
  operation: Operation,
  input: CallInput,
): Promise<void> {
  const response = await session.call(operation.operationId, input);
  // A value may name what does not exist.
  const statuses = [...refusalsOf(operation), 404];
  expectEither(
    session.implementation,
    operation,
    response,
    statuses,
    'The service may refuse the value.',
    { input },
  );
}

function clausesOf(contract: Contract, parameter: Parameter): Clause[] {
  // Only what the service has given is right, whatever the rules of its form.
  if (isEntityTag(parameter)) {
    return [];
  }
  const { pointer } = parameter;
  const implied = new Set(
    impliedParameterClauses(contract, pointer).map(({ clause }) => clause.id),
  );
  return parameterClauses(contract, pointer).filter(({ id }) => !implied.has(id));
}

function clauseRequirement(
  operation: Operation,
  parameter: Parameter,
  clause: Clause,
  api: Api,
): Requirement {
  const { operationId } = operation;
  const { name, in: place, pointer } = parameter;
  const rule = ruleInWords(clause, `\`${name}\``);
  const isAccepted = place === 'path' ? '' : ', and one that just keeps it is accepted';
  const accepts = async (value: unknown, session: Session) => {
    const input = callWith(await validCall(session, operationId), parameter, value);
    if (api.mayRefuse?.(name)) {
      return expectEitherOf(session, operation, input);
    }
    await succeed(session, operationId, input, `\`${name}\` lies on a limit, which is allowed.`);
  };
  const refuses = async (value: unknown, session: Session) => {
    const input = callWith(await callToRefuse(session, operationId), parameter, value);
    // A resource that cannot exist may be said not to.
    const statuses = place === 'path' ? [...refusalsOf(operation), 404] : refusalsOf(operation);
    await refuse(
      session,
      operationId,
      input,
      statuses,
      `The request breaks the rule that ${rule}.`,
    );
  };
  const sentence = `${operationId}: ${rule}. A ${place} that breaks this rule is refused${isAccepted}.`;
  const stated = requirementOf(
    operation,
    `${place}.${clause.id}`,
    clause,
    sentence,
    ({ contract, hints }) => {
      const isOwn = (one: { clause: Clause }) => one.clause.id === clause.id;
      // A value on a limit of a path parameter names another resource, which may not exist: only others are tried so.
      // A list between commas has no item with one.
      const isWritten = (value: unknown) => withParameter({}, parameter, value) !== undefined;
      const writable = (one: ParameterCase) => {
        const value = accepted(one.value, `value of ${clause.id} that can be written`, isWritten);
        return exists(value) ? [{ ...one, value }] : [];
      };
      const limits = place === 'path' ? [] : parameterBoundaries(contract, pointer, hints);
      const wrong = parameterViolations(contract, pointer, hints);
      const tried = wrong
        .filter((one) => isOwn(one) && (api.exactTexts || !one.lenient))
        .flatMap(writable);
      const kept = limits.filter(isOwn).flatMap(writable);
      return [
        ...kept.map(({ label, value }) => forAll(`accepts ${label}`, value, accepts)),
        ...tried.map(({ label, value }) => forAll(`refuses ${label}`, value, refuses)),
      ];
    },
  );
  return { ...stated, weight: CLAUSE, skip: () => tooLarge(clause) };
}

/** The call with this value. @throws NotPossible */
export function callWith(call: CallInput, parameter: Parameter, value: unknown): CallInput {
  const input = withParameter(call, parameter, value);
  if (!input) {
    throw new NotPossible(
      `${parameter.in} parameters of style ${parameter.style} cannot carry such a value`,
    );
  }
  return input;
}

/** The statuses that refuse a request without the parameter. */
function statusesWithout(operation: Operation, parameter: Parameter): readonly number[] {
  const documented = PRECONDITION_STATUSES.filter(
    (status) => String(status) in operation.responses,
  );
  return isEntityTag(parameter) ? [...documented, ...refusalsOf(operation)] : refusalsOf(operation);
}

function missing(operation: Operation, parameter: Parameter): Requirement {
  const { operationId } = operation;
  const { name, in: place } = parameter;
  const sentence = `${operationId} refuses a request without the ${place} parameter \`${name}\`.`;
  return requirementOf(operation, `${place}.${name}.missing`, parameter, sentence, () => [
    once('no such parameter', async (session) => {
      const input = withoutParameter(await validCall(session, operationId), parameter);
      const statuses = statusesWithout(operation, parameter);
      await refuse(session, operationId, input, statuses, `\`${name}\` is required.`);
    }),
  ]);
}
