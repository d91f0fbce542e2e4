/** Queries: repeated and unknown parameters (D35). */
import fc from 'fast-check';
import type { Operation, Parameter } from '../../engine/contract/operations.ts';
import { isObject } from '../../engine/contract/pointers.ts';
import { expectRefusedAnyhow, refuse } from '../../engine/http/expect-response.ts';
import type { HttpResponse } from '../../engine/http/response.ts';
import type { Session } from '../../engine/http/session.ts';
import { forAll, once } from '../../engine/laws/law.ts';
import { callToRefuse } from '../../engine/requirements/calls.ts';
import { CLAUSE, eachText, type Requirement } from '../../engine/requirements/requirement.ts';
import { INFO, ofOperation } from '../define.ts';
import { expectProblem } from '../errors/problem.ts';
import { expectReported } from '../errors/reported-errors.ts';
import { requestErrors } from '../errors/request-errors.ts';
import { ruleOf, type Variant } from './variants.ts';

const WITHOUT_KEYWORD = 'Six errors have no keyword';

/** A query parameter that is given twice. */
export function repeatedParameter(operation: Operation, { name, pointer }: Parameter): Requirement {
  const twice = (second: string): Variant => ({
    label: `1 and ${second}`,
    change: {
      query: [
        [name, '1'],
        [name, second],
      ],
    },
    due: [400],
    why: `\`${name}\` is there twice.`,
  });
  return ruleOf(operation)(
    {
      part: `query.${name}.repeated`,
      origin: 'D35',
      clause: pointer,
      quotes: [WITHOUT_KEYWORD],
      sentence: `refuses a query with \`${name}\` twice.`,
    },
    [twice('1'), twice('2')],
  );
}

/** Names that a careless service would take for something else. */
const MISLEADING_NAMES = [
  'page',
  'offset',
  'Limit',
  'LIMIT',
  'limit[]',
  'type',
  'id',
  '__proto__',
  'constructor',
  'x',
  '\u0000',
  'limit\u0000',
  '%s%n',
  "'",
];

/** Longer than the name of a parameter may be in an error, which then has its beginning (D29). */
const LONG_NAME = 'x'.repeat(5_000);

const NAME = fc.stringMatching(/^[a-z_]{1,12}$/);

/** A query parameter that the operation does not have. */
export function unknownParameter(operation: Operation): Requirement {
  const { operationId, parameters } = operation;
  const known = parameters.map(({ name }) => name);
  const unknownName = () => NAME.filter((name) => !known.includes(name));
  const refuseName = async (name: string, session: Session) => {
    const call = await callToRefuse(session, operationId);
    const input = { ...call, query: { [name]: '1' } };
    await refuse(session, operationId, input, {
      statuses: [400],
      why: `There is no parameter \`${name}\`.`,
    });
  };
  const requirement = ofOperation(operation)(
    {
      part: 'query.unknown',
      origin: 'D35',
      clause: INFO,
      quotes: [
        'An unknown query',
        WITHOUT_KEYWORD,
        'Each error has a `code`',
        'A `parameter` has the beginning',
      ],
      sentence: 'refuses a query parameter that it does not know.',
    },
    eachText(MISLEADING_NAMES, refuseName),
    () => forAll('an unknown name', unknownName(), refuseName),
    once('a name of 5,000 characters', (session) => refuseLongName(operation, session)),
  );
  return { ...requirement, weight: CLAUSE };
}

/** The operation refuses the name, or the server below it the target, which is long. */
async function refuseLongName(operation: Operation, session: Session): Promise<void> {
  const call = await callToRefuse(session, operation.operationId);
  const input = { ...call, query: { [LONG_NAME]: '1' } };
  const why = 'There is no parameter with a name of 5,000 characters.';
  const send = async (): Promise<HttpResponse> => {
    const { implementation } = session;
    const response = await session.call(operation.operationId, input);
    // A server below the application knows nothing of parameters.
    if (isObject(response.json) && 'errors' in response.json) {
      expectProblem(implementation, response);
      expectReported(response, requestErrors(implementation.contract, operation, input));
    }
    return response;
  };
  await expectRefusedAnyhow(send, why);
}
