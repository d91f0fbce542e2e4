/**
 * Names that are unique, and entity tags: equal creations at once, and a PUT beside a PATCH. Right
 * services, some of them unusual, and one error each.
 */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Call, type Handler, type Reply, runOn } from './run.ts';
import { wait } from './shelves.ts';

const BODY = '{application/json: {schema: {$ref: "#/components/schemas/NewBox"}}}';
const BOX =
  '{description: It., content: {application/json: {schema: {$ref: "#/components/schemas/Box"}}}}';

const CONTRACT = `
openapi: 3.1.0
info: {title: Boxes, version: '1'}
paths:
  /boxes:
    post:
      operationId: addBox
      summary: Adds a box. Names are unique.
      requestBody: {required: true, content: ${BODY}}
      responses:
        '201': ${BOX}
        '400': {description: It breaks the contract.}
        '409': {description: The name exists already.}
  /boxes/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      operationId: readBox
      responses:
        '200': ${BOX}
        '404': {description: There is none.}
    put:
      operationId: replaceBox
      parameters: [{name: If-Match, in: header, schema: {type: string}}]
      requestBody: {required: true, content: ${BODY}}
      responses:
        '200': ${BOX}
        '400': {description: It breaks the contract.}
        '404': {description: There is none.}
        '409': {description: The name exists already.}
        '412': {description: It was changed meanwhile.}
    patch:
      operationId: changeBox
      requestBody: {required: true, content: ${BODY}}
      responses:
        '200': ${BOX}
        '400': {description: It breaks the contract.}
        '404': {description: There is none.}
        '409': {description: The name exists already.}
components:
  schemas:
    NewBox:
      type: object
      required: [name]
      additionalProperties: false
      properties:
        name: {type: string, minLength: 1, maxLength: 60}
        colour: {type: string, maxLength: 60, default: red}
    Box:
      type: object
      required: [id, name, colour]
      properties:
        id: {type: string}
        name: {type: string}
        colour: {type: string}
`;

const AT_ONCE = 'addBox.items.race.conflict';
const TAG = 'addBox.items.update.refused-reasons';

interface Box {
  id: string;
  name: string;
  colour: string;
}

const MEMBERS = new Set(['name', 'colour']);
const LONGEST = 60;

function isNewBox(json: unknown): json is Partial<Box> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return false;
  }
  return Object.entries(json).every(
    ([name, value]) =>
      MEMBERS.has(name) &&
      typeof value === 'string' &&
      [...value].length <= LONGEST &&
      (name !== 'name' || value !== ''),
  );
}

class Boxes {
  readonly boxes = new Map<string, Box>();

  readonly handler: Handler = (call, response) => {
    void this.respond(call).then(([status, body, fields = {}]) => {
      response.writeHead(status, { 'content-type': 'application/json', ...fields });
      response.end(JSON.stringify(body ?? {}));
    });
    return undefined;
  };

  isTaken(name: string, id?: string): boolean {
    return [...this.boxes.values()].some((one) => one.name === name && one.id !== id);
  }

  tagOf({ name, colour }: Box): string {
    return `"${Buffer.from(JSON.stringify([name, colour])).toString('hex')}"`;
  }

  show(status: number, box: Box): Reply {
    return [status, box, { etag: this.tagOf(box) }];
  }

  async add(json: Partial<Box>): Promise<Reply> {
    const { name = '', colour = 'red' } = json;
    if (this.isTaken(name)) {
      return [409];
    }
    const box = { id: randomUUID(), name, colour };
    this.boxes.set(box.id, box);
    return this.show(201, box);
  }

  /** Whether a PUT is refused for its condition. */
  isRefused(condition: string | undefined, box: Box, _next: Box): boolean {
    return condition !== undefined && condition !== this.tagOf(box);
  }

  async respond({ method, path, headers, json }: Call): Promise<Reply> {
    const [, , id = ''] = path.split('/');
    const box = this.boxes.get(decodeURIComponent(id));
    if (method === 'POST') {
      return isNewBox(json) && json.name !== undefined ? this.add(json) : [400];
    }
    if (box === undefined) {
      return [404];
    }
    if (method === 'GET') {
      return this.show(200, box);
    }
    const isWhole = method === 'PUT';
    if (!isNewBox(json) || (isWhole && json.name === undefined)) {
      return [400];
    }
    const before = isWhole ? { ...box, colour: 'red' } : box;
    const next = { ...before, ...json };
    if (isWhole && this.isRefused(headers['if-match'], box, next)) {
      return [412];
    }
    if (this.isTaken(next.name, box.id)) {
      return [409];
    }
    this.boxes.set(box.id, next);
    return this.show(200, next);
  }
}

/** One creation at a time: others are refused, whatever their names are. */
class Busy extends Boxes {
  #isBusy = false;

  override async add(json: Partial<Box>): Promise<Reply> {
    if (this.#isBusy) {
      return [409];
    }
    this.#isBusy = true;
    await wait(2);
    const reply = await super.add(json);
    this.#isBusy = false;
    return reply;
  }
}

/** A change that is there already is a success, whatever its condition (RFC 9110, 13.1.1). */
class Done extends Boxes {
  override isRefused(condition: string | undefined, box: Box, next: Box): boolean {
    const isThere = this.tagOf(box) === this.tagOf(next);
    return !isThere && super.isRefused(condition, box, next);
  }
}

/** Looks for the name, waits, and then writes. */
class Late extends Boxes {
  override async add(json: Partial<Box>): Promise<Reply> {
    const isTaken = this.isTaken(json.name ?? '');
    await wait(2);
    if (isTaken) {
      return [409];
    }
    const box = { id: randomUUID(), name: json.name ?? '', colour: json.colour ?? 'red' };
    this.boxes.set(box.id, box);
    return this.show(201, box);
  }
}

class Unconditional extends Boxes {
  override isRefused(): boolean {
    return false;
  }
}

test.each<[string, () => Boxes, string, string]>([
  ['is plain', () => new Boxes(), AT_ONCE, 'pass'],
  ['is plain', () => new Boxes(), TAG, 'pass'],
  ['makes one box at a time', () => new Busy(), AT_ONCE, 'pass'],
  ['has made the change before', () => new Done(), TAG, 'pass'],
  ['looks for the name and writes later', () => new Late(), AT_ONCE, 'fail'],
  ['replaces whatever the condition is', () => new Unconditional(), TAG, 'fail'],
])('a service that %s', async (_, create, id, status) => {
  const options = ['--level', 'extended', '--only', id];
  const { report } = await runOn(create().handler, CONTRACT, options);
  const found = report.requirements.filter((one) => one.id === id);
  expect(found.map((one) => one.status)).toEqual([status]);
});
