/** The content of errors: one of two errors in a body, unknown and repeated query parameters (D35), and the request. */
import fc from 'fast-check';
import type { Operation, Parameter } from '../../engine/contract/operations.ts';
import { valueAt } from '../../engine/contract/pointers.ts';
import { twoErrors } from '../../engine/generate/cases.ts';
import { refuse } from '../../engine/http/expect-response.ts';
import { expectThat } from '../../engine/http/nonconformity.ts';
import type { Session } from '../../engine/http/session.ts';
import { forAll, once } from '../../engine/laws/steps.ts';
import { eachText, type Requirement } from '../../engine/requirements/requirement.ts';
import { callToRefuse, validCall } from '../../engine/requirements/calls.ts';
import { unknownId } from '../calls.ts';
import { AT, core, INFO, ofOperation } from '../define.ts';
import { ruleOf, type Variant } from './variants.ts';

export function errorRequirements(operation: Operation): Requirement[] {
  const parameters = operation.parameters.filter((one) => one.in === 'query');
  return [
    ...parameters.map((parameter) => repeated(operation, parameter)),
    unknown(operation),
    ...(operation.requestBody ? [twoErrorsAtOnce(operation)] : []),
    manyErrors(operation),
  ];
}

function repeated(operation: Operation, { name, pointer }: Parameter): Requirement {
  const twice = (second: string): Variant => {
    const query: [string, string][] = ['1', second].map((value) => [name, value]);
    return { label: `1 and ${second}`, change: { query }, due: [400], why: `\`${name}\` is there twice.` };
  };
  return ruleOf(operation)(
    [`query.${name}.repeated`, 'D35', pointer, 'Six errors have no keyword'],
    `refuses a query with \`${name}\` twice.`,
    [twice('1'), twice('2')],
  );
}

/** Names that a careless service would take for something else. */
const TEMPTING = [
  ...['page', 'offset', 'Limit', 'LIMIT', 'limit[]', 'type', 'id', '__proto__', 'constructor', 'x'],
  ...['\u0000', 'limit\u0000', '%s%n', "'"],
];

function unknown(operation: Operation): Requirement {
  const known = operation.parameters.map(({ name }) => name);
  const names = () => fc.stringMatching(/^[a-z_]{1,12}$/).filter((name) => !known.includes(name));
  const refuses = async (name: string, session: Session) => {
    const input = { ...(await validCall(session, operation.operationId)), query: { [name]: '1' } };
    await refuse(session, operation.operationId, input, [400], `There is no parameter \`${name}\`.`);
  };
  return ofOperation(operation)(
    ['query.unknown', 'D35', INFO, 'An unknown query', 'Six errors have no keyword', 'Each error has a `code`'],
    'refuses a query parameter that it does not know.',
    eachText(TEMPTING, refuses),
    () => forAll('an unknown name', names(), refuses),
  );
}

const WORDS = ['Where more than one', 'Where a condition', 'The code of an error follows', 'Each error has a `code`'];

function twoErrorsAtOnce(operation: Operation): Requirement {
  const { operationId, requestBody } = operation;
  return ofOperation(operation)(
    ['body.two-errors', 'D29', `${AT.schemas}/FieldError`, ...WORDS],
    'refuses a body with two errors, and names at least one of them and nothing else.',
    ({ contract, hints }) => {
      const values = twoErrors(contract, requestBody!.pointer, hints);
      if (!values) return [];
      return forAll('two errors', values, async (json: unknown, session) => {
        const input = { ...(await callToRefuse(session, operationId)), json };
        await refuse(session, operationId, input, [400], 'The body has two errors.');
      });
    },
  );
}

/** Names that no operation knows: more than a problem can list, and so long that all of them are too long for a text. */
function manyErrors(operation: Operation): Requirement {
  const { operationId, requestBody } = operation;
  const errors = `${AT.schemas}/Problem/properties/errors`;
  const named = (count: number, length: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${index}`.padEnd(length, 'x'), '1']));
  const refuses = (label: string, more: (most: number) => { query?: Record<string, string>; unknown?: object }) =>
    once(label, async (session) => {
      const most = Number(valueAt(session.implementation.contract.document, `${errors}/maxItems`));
      const { query, unknown: properties } = more(most + 1);
      const { json, ...input } = await callToRefuse(session, operationId);
      const body = properties ? { ...(json as object), ...properties } : json;
      const sent = { ...input, ...(query && { query }), ...(requestBody && { json: body }) };
      await refuse(session, operationId, sent, [400], `The request has more than ${most} errors.`);
    });
  return ofOperation(operation)(
    ['errors.many', 'D29', errors, '`invalid_request` has `errors`'],
    'refuses a request with more errors than a problem can list.',
    refuses('in the query', (count) => ({ query: named(count, 1) })),
    requestBody ? refuses('in the body', (count) => ({ unknown: named(count, 2_000) })) : [],
    requestBody ? refuses('in both', (count) => ({ query: named(count, 1), unknown: named(count, 1) })) : [],
  );
}

export const requestIds = core(
  ['problems.request-id', 'D29', `${AT.schemas}/Problem/properties/request_id`],
  'Where problems have a `request_id`, no two responses have the same.',
  once('the same request five times, twice at once', async (session) => {
    const send = () => session.send({ method: 'GET', target: `/edges/https/${unknownId()}` });
    const alone = [await send(), await send(), await send()];
    const responses = [...alone, ...(await session.together(() => [send(), send()]))];
    const got = responses.flatMap(({ json }) => (json as { request_id?: unknown } | undefined)?.request_id ?? []);
    const isUnique = new Set(got).size === got.length;
    expectThat(isUnique, '`request_id` is the same in two responses.', { expected: 'another one in each', got });
  }),
);
