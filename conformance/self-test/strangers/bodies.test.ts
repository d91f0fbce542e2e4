/** What a service says of a body is due to the rule that is tried, and to nothing beside it. */
import { expect, test } from 'vitest';
import { isObject } from '../../engine/contract/pointers.ts';
import { type Handler, runOn } from './run.ts';

const CONTRACT = `
openapi: 3.1.0
info: {title: Boxes, version: '1'}
paths:
  /boxes:
    post:
      operationId: addBox
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [name]
              properties:
                name: {type: string, minLength: 3, maxLength: 20, example: 'crate'}
                kind: {type: string, enum: [open, closed]}
                parent: {type: string}
                size: {type: integer, minimum: 1, maximum: 9}
                plan:
                  type: object
                  required: [steps]
                  properties:
                    steps: {type: array, items: {type: object, properties: {a: {type: string}}}}
                    count: {type: integer, minimum: 0}
                    mode: {type: string, enum: [slow, fast]}
      responses:
        '201': {description: It is made., content: {application/json: {schema: {type: object}}}}
        '400': {description: It is wrong.}
`;

const isSize = (size: unknown) =>
  size === undefined || (Number.isInteger(size) && Number(size) >= 1 && Number(size) <= 9);

interface Errors {
  refusesPlans?: boolean;
  takesAnySize?: boolean;
}

/** Looks for a conflict before anything else, and has only names of letters. */
function service({ refusesPlans = false, takesAnySize = false }: Errors = {}): Handler {
  const names = new Set<unknown>();
  return ({ json }) => {
    if (isObject(json) && names.has(json['name'])) {
      return [409];
    }
    const { name, kind, size, plan, parent = '' } = isObject(json) ? json : {};
    const isName = typeof name === 'string' && /^\p{L}{3,20}$/u.test(name);
    const isKind = kind === undefined || kind === 'open' || kind === 'closed';
    if (
      typeof parent !== 'string' ||
      !isName ||
      !isKind ||
      !(takesAnySize || isSize(size)) ||
      !isPlan(plan)
    ) {
      return [400];
    }
    if (refusesPlans && plan !== undefined) {
      return [422];
    }
    if (parent !== '') {
      return [404, 'there is no such box'];
    }
    names.add(name);
    return [201, { name }];
  };
}

function isPlan(plan: unknown): boolean {
  if (plan === undefined) {
    return true;
  }
  const { steps, count = 0, mode = 'slow' } = isObject(plan) ? plan : {};
  const areSteps =
    Array.isArray(steps) &&
    steps.every((one) => isObject(one) && ['string', 'undefined'].includes(typeof one['a']));
  const isCount = Number.isInteger(count) && Number(count) >= 0;
  return areSteps && isCount && (mode === 'slow' || mode === 'fast');
}

test('a conflict with what an earlier case made says nothing of a body', async () => {
  const { broken, passed } = await runOn(service(), CONTRACT);
  expect(broken).toEqual([]);
  expect(passed).toEqual(
    expect.arrayContaining([
      'addBox.201',
      'addBox.body.name.type',
      'addBox.body.kind.enum',
      'addBox.body.size.minimum',
      'addBox.body.plan.count.minimum',
      'addBox.body.numbers',
    ]),
  );
});

test('a member that the service refuses fails once', async () => {
  const { broken, report } = await runOn(service({ refusesPlans: true }), CONTRACT);
  expect(broken).toEqual(['addBox.201']);
  const { failure } = report.requirements.find(({ id }) => id === 'addBox.201') ?? {};
  expect(failure?.message).toContain('422');
});

test('a wrong value beside an accepted body is found', async () => {
  const { broken } = await runOn(service({ takesAnySize: true }), CONTRACT);
  expect(broken).toEqual(
    expect.arrayContaining(['addBox.body.size.minimum', 'addBox.body.size.maximum']),
  );
  expect(broken.filter((id) => !id.startsWith('addBox.body.size'))).toEqual(
    ['addBox.body.numbers'].filter((id) => broken.includes(id)),
  );
});
