/** A service that conforms to the contract beside it, written from its text alone. */
import { isObject } from '../../../engine/contract/pointers.ts';
import { type Json, jsonOf } from '../../messages.ts';
import { NOTHING, type Planted } from '../../planted.ts';
import type { Service, ServiceRequest, ServiceResponse } from '../../service.ts';
import { wrongIn } from './rules.ts';

const TYPE = 'application/vnd.shapes+json';
const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';
const TEXT_TYPE = /^text\/plain\b/;

const PATH = /^\/shapes(?:\/([^/?]+))?$/;

export function createShapes(planted: Planted = NOTHING): Service {
  const shapes = new Shapes(planted);
  return async (request) => {
    const { method, target } = request;
    const path = PATH.exec(target);
    if (!path) {
      return refuse(404, 'There is no such path.');
    }
    const [, encodedName] = path;
    const name = encodedName === undefined ? undefined : decodeURIComponent(encodedName);
    const allow = name === undefined ? 'GET, POST' : 'GET, PUT, DELETE';
    if (!allow.split(', ').includes(method)) {
      return refuse(405, 'There is no such method.', { allow });
    }
    if (name === undefined) {
      if (method === 'GET') {
        return shapes.list();
      }
      return shapes.add(request);
    }
    return shapes.serveOne(name, request);
  };
}

class Shapes {
  readonly #planted: Planted;
  readonly #shapes = new Map<string, Json>();
  #count = 0;

  constructor(planted: Planted) {
    this.#planted = planted;
  }

  list(): ServiceResponse {
    const start = this.#planted('list-ends-at-ten') ? -10 : 0;
    const shown = [...this.#shapes.values()].slice(start);
    const member = this.#planted('list-under-another-name') ? 'items' : 'shapes';
    return respond(200, { [member]: shown });
  }

  serveOne(name: string, request: ServiceRequest): ServiceResponse {
    const { method } = request;
    const mayCreate = method === 'PUT' && this.#planted('put-creates');
    if (!this.#shapes.has(name) && !mayCreate) {
      return refuse(404, 'There is no such shape.');
    }
    if (method === 'GET') {
      return respond(200, this.#shapes.get(name));
    }
    if (method === 'PUT') {
      return this.#replace(name, request);
    }
    const [first = name] = this.#shapes.keys();
    this.#shapes.delete(this.#planted('delete-removes-the-first') ? first : name);
    return { status: 204, headers: {}, body: '' };
  }

  add({ headers, body }: ServiceRequest): ServiceResponse {
    const type = headers['content-type'] ?? '';
    if (TEXT_TYPE.test(type)) {
      return this.#create({ kind: 'circle', radius: 1, note: String(body) });
    }
    return this.#refusalOfType(type) ?? this.#create(jsonOf({ body }));
  }

  #create(sent: unknown): ServiceResponse {
    const refusal = this.#refusalOf(sent);
    if (refusal) {
      return refusal;
    }
    const name = this.#nextName();
    const shape = { ...this.#stored(sent as Json, undefined), name };
    if (!this.#planted('create-stores-nothing')) {
      this.#shapes.set(name, shape);
    }
    return respond(this.#planted('create-is-200') ? 200 : 201, shape);
  }

  #replace(name: string, { headers, body }: ServiceRequest): ServiceResponse {
    const sent: unknown = jsonOf({ body });
    const refusal = this.#refusalOfType(headers['content-type'] ?? '') ?? this.#refusalOf(sent);
    if (refusal) {
      return refusal;
    }
    // A replacement uses up a name, too.
    this.#nextName();
    const shape = { ...this.#stored(sent as Json, this.#shapes.get(name)), name };
    this.#shapes.set(name, shape);
    return respond(200, shape);
  }

  #refusalOfType(type: string): ServiceResponse | undefined {
    if (type === TYPE || this.#planted('media-type-is-not-checked')) {
      return undefined;
    }
    return refuse(415, `Send ${TYPE}.`);
  }

  #refusalOf(sent: unknown): ServiceResponse | undefined {
    if (!isObject(sent)) {
      return refuse(422, 'The body is not an object.');
    }
    const wrong = wrongIn(sent);
    const isTooHeavy = wrong === 'weight' && Number(sent['weight']) >= 100;
    const isIgnored = isTooHeavy && this.#planted('bound-is-not-checked');
    if (wrong === undefined || isIgnored) {
      return undefined;
    }
    return refuse(this.#planted('refusal-is-500') ? 500 : 422, `Wrong: ${wrong}.`);
  }

  #nextName(): string {
    this.#count++;
    let number = this.#count;
    if (this.#planted('names-repeat-after-five')) {
      number %= 5;
    }
    return `s${number.toString(16).padStart(6, '0')}`;
  }

  /** The shape that is kept in place of `sent`. */
  #stored(sent: Json, old: Json | undefined): Json {
    const kept: Json = { ...sent };
    const { colour, note, weight, points, radius } = sent as Partial<Members>;
    if (this.#planted('colour-in-lower-case') && colour) {
      kept['colour'] = colour.toLowerCase();
    }
    if (this.#planted('note-is-cut') && note) {
      kept['note'] = note.slice(0, 29);
    }
    if (this.#planted('note-is-not-stored')) {
      delete kept['note'];
    }
    if (this.#planted('half-weights-are-cut') && weight) {
      kept['weight'] = Math.floor(weight) || 0.5;
    }
    if (this.#planted('points-after-the-second-are-lost') && points) {
      kept['points'] = points.slice(0, 2);
    }
    if (this.#planted('radius-is-32-bit') && radius) {
      kept['radius'] = radius | 0;
    }
    const merged = this.#planted('put-merges') ? old : {};
    return { ...this.#defaults(), ...merged, ...kept };
  }

  #defaults(): Json {
    if (this.#planted('default-is-missing')) {
      return {};
    }
    return { colour: this.#planted('another-default') ? 'white' : 'black' };
  }
}

interface Members {
  colour: string;
  note: string;
  weight: number;
  points: Json[];
  radius: number;
}

function respond(
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): ServiceResponse {
  return { status, headers: { 'content-type': TYPE, ...headers }, body: JSON.stringify(value) };
}

function refuse(
  status: number,
  title: string,
  headers: Record<string, string> = {},
): ServiceResponse {
  return respond(status, { title }, { 'content-type': PROBLEM_TYPE, ...headers });
}
