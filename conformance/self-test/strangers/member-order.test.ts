/** Descriptions that state the order of two members of a body. */
import { expect, test } from 'vitest';
import { isObject } from '../../engine/contract/pointers.ts';
import { type Call, type Handler, type Reply, runOn } from './run.ts';

const COURSE = '{application/json: {schema: {$ref: "#/components/schemas/Course"}}}';
const ID = '{name: id, in: path, required: true, schema: {type: string}}';

const CONTRACT = `
openapi: 3.1.0
info: {title: Courses, version: '1'}
paths:
  /courses:
    post:
      operationId: plan
      requestBody: {required: true, content: ${COURSE}}
      responses:
        '201': {description: It., content: ${COURSE}}
        '422': {description: It is refused.}
  /courses/{id}:
    parameters: [${ID}]
    get:
      operationId: show
      responses:
        '200': {description: It., content: ${COURSE}}
        '404': {description: There is none.}
    put:
      operationId: replace
      requestBody: {required: true, content: ${COURSE}}
      responses:
        '200': {description: It., content: ${COURSE}}
        '404': {description: There is none.}
        '422': {description: It is refused.}
    delete:
      operationId: cancel
      responses:
        '204': {description: It is gone.}
        '404': {description: There is none.}
components:
  schemas:
    Course:
      type: object
      required: [begins, ends]
      properties:
        id: {type: string, readOnly: true}
        begins: {type: string, format: date}
        ends: {type: string, format: date, description: The last day. Must be after \`begins\`.}
        fewest: {type: integer, minimum: 2, maximum: 90}
        most: {type: integer, minimum: 2, maximum: 90, description: Must not be less than fewest.}
        lessons:
          type: object
          required: [first, last]
          properties:
            first: {type: string, format: date-time, description: Must be earlier than \`last\`.}
            last: {type: string, format: date-time}
`;

interface Errors {
  takesSameDay?: boolean;
  takesReversedDays?: boolean;
  takesFewerAtMost?: boolean;
  takesLessonsReversed?: boolean;
  checksNoReplacement?: boolean;
}

type Members = Record<string, unknown>;

const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && isTime(value);

const isTime = (value: unknown): value is string =>
  typeof value === 'string' && value.length >= 10 && !Number.isNaN(Date.parse(value));

const isCount = (value: unknown): boolean =>
  value === undefined || (Number.isInteger(value) && Number(value) >= 2 && Number(value) <= 90);

class Courses {
  readonly #all = new Map<string, Members>();
  readonly #errors: Errors;
  #count = 0;

  constructor(errors: Errors) {
    this.#errors = errors;
  }

  readonly handle: Handler = (call: Call): Reply => {
    const { method, path, json } = call;
    const [, , id] = path.split('/');
    if (id === undefined) {
      return method === 'POST' ? this.#plan(json) : [405];
    }
    const course = this.#all.get(id);
    if (course === undefined) {
      return [404];
    }
    if (method === 'DELETE') {
      this.#all.delete(id);
      return [204];
    }
    if (method === 'PUT') {
      return this.#replace(id, json);
    }
    return method === 'GET' ? [200, course] : [405];
  };

  #plan(json: unknown): Reply {
    if (!isObject(json) || !areValid(json) || !this.#isInOrder(json)) {
      return [422];
    }
    this.#count += 1;
    const course = { ...json, id: `course-${this.#count}-${'x'.repeat(12)}` };
    this.#all.set(course.id, course);
    return [201, course];
  }

  #replace(id: string, json: unknown): Reply {
    const isChecked = !this.#errors.checksNoReplacement;
    if (!isObject(json) || !areValid(json) || (isChecked && !this.#isInOrder(json))) {
      return [422];
    }
    const course = { ...json, id };
    this.#all.set(id, course);
    return [200, course];
  }

  #isInOrder({ begins, ends, fewest = 2, most = 90, lessons }: Members): boolean {
    const { takesSameDay, takesReversedDays, takesFewerAtMost } = this.#errors;
    const days = Date.parse(String(ends)) - Date.parse(String(begins));
    const isSpan = days > 0 || (days === 0 ? takesSameDay : takesReversedDays) === true;
    const isRoom = Number(most) >= Number(fewest) || takesFewerAtMost === true;
    return isSpan && isRoom && this.#areInOrder(lessons);
  }

  #areInOrder(lessons: unknown): boolean {
    if (!isObject(lessons) || this.#errors.takesLessonsReversed) {
      return true;
    }
    return Date.parse(String(lessons['first'])) < Date.parse(String(lessons['last']));
  }
}

function areValid({ begins, ends, fewest, most, lessons }: Members): boolean {
  const isLessons = isObject(lessons) && isTime(lessons['first']) && isTime(lessons['last']);
  const areLessons = lessons === undefined || isLessons;
  return isDay(begins) && isDay(ends) && isCount(fewest) && isCount(most) && areLessons;
}

const ONLY = ['--only', '*.order'];

test('a service that keeps the orders that are stated has no finding', async () => {
  const { broken, passed } = await runOn(new Courses({}).handle, CONTRACT, ONLY);
  expect(broken).toEqual([]);
  expect(passed).toEqual(
    expect.arrayContaining([
      'plan.body.ends.order',
      'plan.body.most.order',
      'replace.body.ends.order',
      'replace.body.most.order',
    ]),
  );
});

test.each<[string, Errors, string[]]>([
  ['the same day', { takesSameDay: true }, ['plan.body.ends.order', 'replace.body.ends.order']],
  [
    'an end before',
    { takesReversedDays: true },
    ['plan.body.ends.order', 'replace.body.ends.order'],
  ],
  ['a low limit', { takesFewerAtMost: true }, ['plan.body.most.order', 'replace.body.most.order']],
  [
    'any replacement',
    { checksNoReplacement: true },
    ['replace.body.ends.order', 'replace.body.most.order'],
  ],
])('a service that takes %s is found', async (_, errors, due) => {
  const { broken } = await runOn(new Courses(errors).handle, CONTRACT, ONLY);
  expect(broken).toEqual(due);
});

test('an order inside of an object is found', async () => {
  const required = CONTRACT.replace('[begins, ends]', '[begins, ends, lessons]');
  const courses = new Courses({ takesLessonsReversed: true });
  const { broken } = await runOn(courses.handle, required, ONLY);
  expect(broken).toContain('plan.body.lessons.first.order');
});

test.each([
  'Must be after `begins` if it is given.',
  'Must be after `begins` of the room.',
  'May be after `begins`.',
  'Must be after `begun`.',
  'Must be after `begins`. Short ones are an exception.',
  'Usually after `begins`.',
])('"%s" states no order of each body', async (words) => {
  const other = CONTRACT.replace('The last day. Must be after `begins`.', words);
  const errors = { takesSameDay: true, takesReversedDays: true };
  const { broken, report } = await runOn(new Courses(errors).handle, other, ONLY);
  expect(broken).toEqual([]);
  expect(report.requirements.map(({ id }) => id)).not.toContain('plan.body.ends.order');
});
