/** Queries: repeated and unknown parameters (D35). */
import fc from 'fast-check';
import type { Operation, Parameter } from '../../engine/contract/operations.ts';
import { refuse } from '../../engine/http/expect-response.ts';
import type { Session } from '../../engine/http/session.ts';
import { forAll } from '../../engine/laws/law.ts';
import { callToRefuse } from '../../engine/requirements/calls.ts';
import { CLAUSE, eachText, type Requirement } from '../../engine/requirements/requirement.ts';
import { INFO, ofOperation } from '../define.ts';
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
      quotes: ['An unknown query', WITHOUT_KEYWORD, 'Each error has a `code`'],
      sentence: 'refuses a query parameter that it does not know.',
    },
    eachText(MISLEADING_NAMES, refuseName),
    () => forAll('an unknown name', unknownName(), refuseName),
  );
  return { ...requirement, weight: CLAUSE };
}
